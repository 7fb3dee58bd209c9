"""The whole error tree. A code is stable API; the sentence for it, which says what to do next, stands in catalogue/.

CommonbookError
├── UsageError       a person or program asked for something that cannot be: arguments, names, settings
├── PlaceError       the disk, the home folder or a database is not usable as it is
├── IngressError     a delivery that is not taken in
├── GrantError       a read or a call that the running task may not make
├── DecisionError    a proposal that Core rejects; costs the agent a turn, consumes nothing
├── CommitError      a decision that was valid and can no longer be committed as it stands
└── AgentError       a memory agent that could not do its job
"""

from enum import StrEnum


class Code(StrEnum):
    # usage
    INVALID_ARGUMENTS = "INVALID_ARGUMENTS"
    INVALID_SETTING = "INVALID_SETTING"
    UNKNOWN_SETTING = "UNKNOWN_SETTING"
    UNKNOWN_HOST = "UNKNOWN_HOST"
    UNKNOWN_PROJECT = "UNKNOWN_PROJECT"
    UNKNOWN_TARGET = "UNKNOWN_TARGET"
    UNKNOWN_SECTION = "UNKNOWN_SECTION"
    UNKNOWN_ITEM = "UNKNOWN_ITEM"
    ITEM_IN_WORK = "ITEM_IN_WORK"
    NOTHING_FOUND = "NOTHING_FOUND"
    NOTHING_TO_RESTORE = "NOTHING_TO_RESTORE"
    UNKNOWN_RECEIPT = "UNKNOWN_RECEIPT"
    CHANGED_SINCE = "CHANGED_SINCE"
    ALREADY_THERE = "ALREADY_THERE"
    NOT_A_PROJECT_ROOT = "NOT_A_PROJECT_ROOT"
    NEEDS_CONFIRMATION = "NEEDS_CONFIRMATION"
    CANCELLED_BY_PERSON = "CANCELLED_BY_PERSON"
    CONTEXT_UNAVAILABLE = "CONTEXT_UNAVAILABLE"
    INVALID_TEXT_SIZE = "INVALID_TEXT_SIZE"
    SENSITIVE_CONTENT_REJECTED = "SENSITIVE_CONTENT_REJECTED"
    READ_DISABLED = "READ_DISABLED"
    MEMORY_UNAVAILABLE = "MEMORY_UNAVAILABLE"
    # place
    HOME_UNSAFE = "HOME_UNSAFE"
    HOME_READ_ONLY = "HOME_READ_ONLY"
    UNSAFE_FILE = "UNSAFE_FILE"
    FILE_TOO_LARGE = "FILE_TOO_LARGE"
    FILE_UNREADABLE = "FILE_UNREADABLE"
    FOLDER_MISSING = "FOLDER_MISSING"
    DISK_FULL = "DISK_FULL"
    DISK_FAILED = "DISK_FAILED"
    STORE_BUSY = "STORE_BUSY"
    STORE_NEWER = "STORE_NEWER"
    STORE_DAMAGED = "STORE_DAMAGED"
    STORE_NOT_LOCAL = "STORE_NOT_LOCAL"
    BACKUP_DAMAGED = "BACKUP_DAMAGED"
    # ingress
    SUBMISSION_CONFLICT = "SUBMISSION_CONFLICT"
    UNAUTHORIZED_SOURCE = "UNAUTHORIZED_SOURCE"
    UNAUTHORIZED_PROVENANCE = "UNAUTHORIZED_PROVENANCE"
    UNREGISTERED_PROJECT = "UNREGISTERED_PROJECT"
    SENSITIVE_INPUT = "SENSITIVE_INPUT"
    OVERSIZED_COMPLETE_SOURCE = "OVERSIZED_COMPLETE_SOURCE"
    OVERSIZED_COMPLETE_TURN = "OVERSIZED_COMPLETE_TURN"
    MIXED_SESSION_TURN = "MIXED_SESSION_TURN"
    FORGOTTEN_SOURCE = "FORGOTTEN_SOURCE"
    PROVIDER_CLASS = "PROVIDER_CLASS"
    CAPACITY_REACHED = "CAPACITY_REACHED"
    SOURCE_GONE = "SOURCE_GONE"
    NOT_A_SESSION = "NOT_A_SESSION"
    CORRUPT_RECORD = "CORRUPT_RECORD"
    RECORD_TOO_LARGE = "RECORD_TOO_LARGE"
    NEWER_FORMAT = "NEWER_FORMAT"
    # grant
    EXPIRED_TASK = "EXPIRED_TASK"
    INVALID_HANDLE = "INVALID_HANDLE"
    INVALID_BLOCK = "INVALID_BLOCK"
    INVALID_OFFSET = "INVALID_OFFSET"
    NONCONTIGUOUS_READ = "NONCONTIGUOUS_READ"
    MATERIAL_UNREAD = "MATERIAL_UNREAD"
    TARGET_UNREAD = "TARGET_UNREAD"
    DECISION_ALREADY_SUBMITTED = "DECISION_ALREADY_SUBMITTED"
    UNKNOWN_TOOL = "UNKNOWN_TOOL"
    # decision
    INVALID_DECISION = "INVALID_DECISION"
    INVALID_REQUEST_REFERENCE = "INVALID_REQUEST_REFERENCE"
    INVALID_EVIDENCE_REFERENCE = "INVALID_EVIDENCE_REFERENCE"
    MISSING_EVIDENCE = "MISSING_EVIDENCE"
    INVALID_TARGET_REFERENCE = "INVALID_TARGET_REFERENCE"
    DUPLICATE_SECTION_OPERATION = "DUPLICATE_SECTION_OPERATION"
    UNAUTHORIZED_SCOPE = "UNAUTHORIZED_SCOPE"
    UNAUTHORIZED_WRITE = "UNAUTHORIZED_WRITE"
    UNAUTHORIZED_FORGET_EVIDENCE = "UNAUTHORIZED_FORGET_EVIDENCE"
    UNAUTHORIZED_IMPORT_OVERWRITE = "UNAUTHORIZED_IMPORT_OVERWRITE"
    STALE_SOURCE = "STALE_SOURCE"
    INVALID_EDIT_RESULT = "INVALID_EDIT_RESULT"
    UNJUSTIFIED_SHRINK = "UNJUSTIFIED_SHRINK"
    DUPLICATE_CONTENT = "DUPLICATE_CONTENT"
    INVALID_MARKDOWN = "INVALID_MARKDOWN"
    DOCUMENT_OUTSIDE_GRAMMAR = "DOCUMENT_OUTSIDE_GRAMMAR"
    DOCUMENT_FULL = "DOCUMENT_FULL"
    SENSITIVE_PATCH = "SENSITIVE_PATCH"
    INVALID_PROMPT_DIGEST = "INVALID_PROMPT_DIGEST"
    # commit
    STALE_LEASE = "STALE_LEASE"
    STALE_REVISION = "STALE_REVISION"
    BATCH_CHANGED = "BATCH_CHANGED"
    RECOVERY_CONFLICT = "RECOVERY_CONFLICT"
    SENSITIVE_SECTION = "SENSITIVE_SECTION"
    # agent
    NO_DECISION = "NO_DECISION"
    DECISION_REJECTED = "DECISION_REJECTED"
    AGENT_TURN_LIMIT = "AGENT_TURN_LIMIT"
    CONFIGURATION = "CONFIGURATION"
    RECOVERY_BUDGET_EXHAUSTED = "RECOVERY_BUDGET_EXHAUSTED"
    CANCELLED = "CANCELLED"
    INTERNAL = "INTERNAL"


class CommonbookError(Exception):
    """An error with a code.

    ``detail`` fills the sentence of the catalogue: counts, names of settings, ids. A path may stand in it (key ``path``)
    for the person's own terminal; never a secret, a provider's body or a remembered text.
    """

    def __init__(self, code: Code, **detail: str | int) -> None:
        super().__init__(code.value)
        self.code = code
        self.detail = detail

    def __str__(self) -> str:
        told = ", ".join(f"{key}={value}" for key, value in self.detail.items())
        return f"{self.code.value} ({told})" if told else self.code.value


class UsageError(CommonbookError): ...


class PlaceError(CommonbookError): ...


class IngressError(CommonbookError): ...


class GrantError(CommonbookError): ...


class DecisionError(CommonbookError):
    """``problems``: at most 12 (path, rule) pairs of known field names and rules, never values."""

    def __init__(self, code: Code, *, problems: tuple[tuple[str, str], ...] = (), **detail: str | int) -> None:
        super().__init__(code, **detail)
        self.problems = problems[:12]


class CommitError(CommonbookError): ...


class AgentError(CommonbookError): ...
