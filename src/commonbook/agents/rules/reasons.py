"""Why words were not kept, as a closed list: people read these, so they are short, stable and the same everywhere."""

from enum import StrEnum


class Reason(StrEnum):
    """The catalogue of sentences has one entry for each, by the words themselves."""

    PASTED = "only pasted, quoted or code"
    QUESTION = "a question"
    TASK = "a request for now"
    NOTHING = "nothing that was said outright to last"
    NOTHING_IN_BATCH = "nothing lasting was said"
    SECRET = "holds a secret"  # noqa: S105 - says so, is none
    THIRD_PERSON = "a third person"
    QUOTATION = "a quotation"
    REPORTED = "reported speech"
    ASSISTANT = "about what the assistant said or did"
    UNDECIDED = "nothing decided"
    FOR_NOW = "only for now"
    TROUBLE = "a report of something wrong"
    OTHERS_OR_BRIEF = "somebody else, or not for long"
    KNOWN = "already remembered"
    LOCKED = "the document it belongs to cannot be changed"
    FULL = "the document is full"
    NO_MATCH = "nothing remembered matches"
    TAKEN_BACK = "taken back"
    SAID_AGAIN = "said again later"
