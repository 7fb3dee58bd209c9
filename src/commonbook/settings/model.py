"""The settings of config.toml: every key, its default and its meaning.

Plain frozen data: every command reads the settings, and most people have no config.toml, so the library that checks one
(``load``) is only imported when there is something to check. The string after each field is its documentation:
docs/settings.md is made of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from annotated_types import Ge, Gt, Le

from commonbook.vocabulary import Provenance

KIB = 1024
MIB = 1024 * KIB
Positive = Annotated[int, Gt(0)]
Choice = Literal["allow", "mask", "quarantine"]


@dataclass(frozen=True)
class Disclosure:
    provenance: tuple[Provenance, ...] = (Provenance.USER_EXPLICIT,)
    """Whose words the memory agent may be shown; add `conversation_context` to show it the assistant's messages too."""
    scopes: tuple[str, ...] = ("global", "project:*")
    """Which scopes it may be shown: `global`, `project:<id>`, or `project:*` for every project."""
    max_source_bytes: Positive | None = None
    """Largest message that is taken in, in bytes of its JSON form; larger ones are refused, never cut."""
    max_total_bytes: Positive | None = None
    """Largest batch that one run is shown, in bytes of its JSON form."""
    provider_classes: Mapping[str, Literal["local", "remote"]] = field(default_factory=dict)
    """Where the models of a host's provider run, by provider name: text spoken to a local model stays local."""
    allow_local_to_remote: bool = False
    """Lets text that was spoken to a local model be shown to a remote one."""


@dataclass(frozen=True)
class Read:
    scopes: tuple[str, ...] = ("global", "project:*")
    """Which scopes `show`, `search` and MCP may read."""


@dataclass(frozen=True)
class Write:
    scopes: tuple[str, ...] = ("global", "project:*")
    """Which scopes a memory agent may change."""


@dataclass(frozen=True)
class Projects:
    on_first_sight: Literal["register", "ask", "ignore"] = "register"
    """An unknown folder becomes a project with its first fact (`register`), or its messages wait (`ask`, `ignore`)."""


@dataclass(frozen=True)
class Documents:
    soft: Positive = 8 * KIB
    """Size at which a document counts as long, in bytes: advice only."""
    hard: Positive = 16 * KIB
    """Largest document that a change may leave, in bytes; checked when writing, never when reading."""


@dataclass(frozen=True)
class Limits:
    session_bytes: Positive = 8 * MIB
    """Most text of one session that may wait, in bytes; capture goes on when `maintain` has made room."""
    unprocessed_bytes: Positive = 64 * MIB
    """Most text that may wait in all, in bytes."""
    context_turns: Annotated[int, Ge(0), Le(20)] = 2
    """How many earlier turns of a session may be shown beside a batch, where context may be shown at all."""


@dataclass(frozen=True)
class Retention:
    days: Positive = 7
    """How long the text of a processed message is kept; `why` then reads the words from the host's own session file."""


@dataclass(frozen=True)
class History:
    days: Positive = 30
    """How long former texts of changed sections are kept."""


@dataclass(frozen=True)
class PersonalData:
    email: Choice = "allow"
    """E-mail addresses in your own words: kept, masked, or the message put aside for you to decide."""
    phone: Choice = "allow"
    """Phone numbers, likewise."""
    card: Choice = "quarantine"
    """Payment card numbers, likewise."""
    government_id: Choice = "quarantine"
    """Government id numbers, likewise."""


@dataclass(frozen=True)
class HostSettings:
    __pydantic_config__: ClassVar = {"extra": "forbid"}  # its table's name is free, so `load` cannot know its keys

    root: str | None = None
    """Folder of the host's session files; unset = where the host itself puts them."""


@dataclass(frozen=True)
class Settings:
    agent: Literal["rules"] = "rules"
    """The memory agent that decides what to keep; `rules` works offline and without a key."""
    data: str | None = None
    """Another place for the data folder (`~` is understood); it needs a local disk."""
    disclosure: Disclosure = field(default_factory=Disclosure)
    read: Read = field(default_factory=Read)
    write: Write = field(default_factory=Write)
    projects: Projects = field(default_factory=Projects)
    documents: Documents = field(default_factory=Documents)
    limits: Limits = field(default_factory=Limits)
    personal_data: PersonalData = field(default_factory=PersonalData)
    retention: Retention = field(default_factory=Retention)
    history: History = field(default_factory=History)
    hosts: Mapping[str, HostSettings] = field(default_factory=dict)


def scope_allowed(scope: str, allowed: tuple[str, ...]) -> bool:
    """Whether a list such as ``["global", "project:*"]`` allows a scope."""
    return scope in allowed or (scope.startswith("project:") and "project:*" in allowed)
