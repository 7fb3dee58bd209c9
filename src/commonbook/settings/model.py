"""The settings of config.toml: every key, its default and its meaning; unknown keys are errors, never ignored."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt

from commonbook.vocabulary import Provenance

KIB = 1024
MIB = 1024 * KIB


class _Part(BaseModel):
    """The string after each field is its documentation: docs/settings.md is made of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Disclosure(_Part):
    provenance: tuple[Provenance, ...] = (Provenance.USER_EXPLICIT,)
    """Whose words the memory agent may be shown; add `conversation_context` to show it the assistant's messages too."""
    scopes: tuple[str, ...] = ("global", "project:*")
    """Which scopes it may be shown: `global`, `project:<id>`, or `project:*` for every project."""
    max_source_bytes: PositiveInt | None = None
    """Largest message that is taken in, in bytes of its JSON form; larger ones are refused, never cut."""
    max_total_bytes: PositiveInt | None = None
    """Largest batch that one run is shown, in bytes of its JSON form."""
    provider_classes: dict[str, Literal["local", "remote"]] = Field(default_factory=dict)
    """Where the models of a host's provider run, by provider name: text spoken to a local model stays local."""
    allow_local_to_remote: bool = False
    """Lets text that was spoken to a local model be shown to a remote one."""


class Read(_Part):
    scopes: tuple[str, ...] = ("global", "project:*")
    """Which scopes `show`, `search` and MCP may read."""


class Write(_Part):
    scopes: tuple[str, ...] = ("global", "project:*")
    """Which scopes a memory agent may change."""


class Projects(_Part):
    on_first_sight: Literal["register", "ask", "ignore"] = "register"
    """An unknown folder becomes a project with its first fact (`register`), or its messages wait (`ask`, `ignore`)."""


class Documents(_Part):
    soft: PositiveInt = 8 * KIB
    """Size at which a document counts as long, in bytes: advice only."""
    hard: PositiveInt = 16 * KIB
    """Largest document that a change may leave, in bytes; checked when writing, never when reading."""


class Limits(_Part):
    session_bytes: PositiveInt = 8 * MIB
    """Most text of one session that may wait, in bytes; capture goes on when `maintain` has made room."""
    unprocessed_bytes: PositiveInt = 64 * MIB
    """Most text that may wait in all, in bytes."""
    context_turns: int = Field(default=2, ge=0, le=20)
    """How many earlier turns of a session may be shown beside a batch, where context may be shown at all."""


class Retention(_Part):
    days: PositiveInt = 7
    """How long the text of a processed message is kept; `why` then reads the words from the host's own session file."""


class History(_Part):
    days: PositiveInt = 30
    """How long former texts of changed sections are kept."""


class PersonalData(_Part):
    email: Literal["allow", "mask", "quarantine"] = "allow"
    """E-mail addresses in your own words: kept, masked, or the message put aside for you to decide."""
    phone: Literal["allow", "mask", "quarantine"] = "allow"
    """Phone numbers, likewise."""
    card: Literal["allow", "mask", "quarantine"] = "quarantine"
    """Payment card numbers, likewise."""
    government_id: Literal["allow", "mask", "quarantine"] = "quarantine"
    """Government id numbers, likewise."""


class HostSettings(_Part):
    root: str | None = None
    """Folder of the host's session files; unset = where the host itself puts them."""


class Settings(_Part):
    agent: Literal["rules"] = "rules"
    """The memory agent that decides what to keep; `rules` works offline and without a key."""
    data: str | None = None
    """Another place for the data folder (`~` is understood); it needs a local disk."""
    disclosure: Disclosure = Disclosure()
    read: Read = Read()
    write: Write = Write()
    projects: Projects = Projects()
    documents: Documents = Documents()
    limits: Limits = Limits()
    personal_data: PersonalData = PersonalData()
    retention: Retention = Retention()
    history: History = History()
    hosts: dict[str, HostSettings] = Field(default_factory=dict)


def scope_allowed(scope: str, allowed: tuple[str, ...]) -> bool:
    """Whether a list such as ``["global", "project:*"]`` allows a scope."""
    return scope in allowed or (scope.startswith("project:") and "project:*" in allowed)
