"""The settings of config.toml: every key, its default and its meaning; unknown keys are errors, never ignored."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt

from commonbook.vocabulary import Provenance

KIB = 1024
MIB = 1024 * KIB


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Disclosure(_Part):
    """What a memory agent may be shown."""

    provenance: tuple[Provenance, ...] = (Provenance.USER_EXPLICIT,)
    scopes: tuple[str, ...] = ("global", "project:*")
    max_source_bytes: PositiveInt | None = None
    """Of one serialised source, UTF-8 bytes; unset = unlimited."""
    max_total_bytes: PositiveInt | None = None
    """Of one batch; unset = unlimited."""
    provider_classes: dict[str, Literal["local", "remote"]] = Field(default_factory=dict)
    """Host provider name → where its models run; an unnamed provider waits until it is mapped once."""
    allow_local_to_remote: bool = False


class Scopes(_Part):
    scopes: tuple[str, ...] = ("global", "project:*")


class Projects(_Part):
    on_first_sight: Literal["register", "ask", "ignore"] = "register"


class Documents(_Part):
    """Budgets of one canonical document, in bytes: ``soft`` is advice, ``hard`` is checked at commit, never at read."""

    soft: PositiveInt = 8 * KIB
    hard: PositiveInt = 16 * KIB


class Limits(_Part):
    """Unprocessed text, in bytes, and how many earlier turns a batch may show as context."""

    session_bytes: PositiveInt = 8 * MIB
    unprocessed_bytes: PositiveInt = 64 * MIB
    context_turns: int = Field(default=2, ge=0, le=20)


class Days(_Part):
    days: PositiveInt


class PersonalData(_Part):
    """What happens to personal data in the user's own words: kept, masked, or put aside for the person to decide."""

    email: Literal["allow", "mask", "quarantine"] = "allow"
    phone: Literal["allow", "mask", "quarantine"] = "allow"
    card: Literal["allow", "mask", "quarantine"] = "quarantine"
    government_id: Literal["allow", "mask", "quarantine"] = "quarantine"


class HostSettings(_Part):
    root: str | None = None
    """The folder of the host's session files; unset = where the host itself puts them."""


class Settings(_Part):
    agent: Literal["rules"] = "rules"
    data: str | None = None
    """Moves the data folder out of the home folder."""
    disclosure: Disclosure = Disclosure()
    read: Scopes = Scopes()
    write: Scopes = Scopes()
    projects: Projects = Projects()
    documents: Documents = Documents()
    limits: Limits = Limits()
    personal_data: PersonalData = PersonalData()
    retention: Days = Days(days=7)
    history: Days = Days(days=30)
    hosts: dict[str, HostSettings] = Field(default_factory=dict)


def scope_allowed(scope: str, allowed: tuple[str, ...]) -> bool:
    """Whether a list such as ``["global", "project:*"]`` allows a scope."""
    return scope in allowed or (scope.startswith("project:") and "project:*" in allowed)
