"""The hosts we know. Adding one is a folder beside ``pi`` and a line here."""

from pathlib import Path

from commonbook.errors import Code, UsageError
from commonbook.hosts.claude_code.spec import CLAUDE_CODE
from commonbook.hosts.codex.spec import CODEX
from commonbook.hosts.pi.spec import PI
from commonbook.hosts.spec import HostSpec


def all_hosts() -> tuple[HostSpec, ...]:
    """Every known host, in the order in which they are offered to a person."""
    return (PI, CODEX, CLAUDE_CODE)


def find_host(host: str) -> HostSpec:
    """The host with this id. Raises ``UsageError(UNKNOWN_HOST)`` that names the known ones."""
    for spec in all_hosts():
        if spec.id == host:
            return spec
    raise UsageError(Code.UNKNOWN_HOST, host=host, known=", ".join(spec.id for spec in all_hosts()))


def hosts_of(root: Path) -> tuple[HostSpec, ...]:
    """The hosts whose sessions stand below a folder. Raises ``PlaceError`` when it is missing or unreadable."""
    return tuple(spec for spec in all_hosts() if spec.transcripts().discover(root).sessions)


def record_text(host: str, record: bytes) -> str | None:
    """The words of one transcript record, as the host's own reader gives them; ``None`` for an unknown host or no words."""
    spec = next((spec for spec in all_hosts() if spec.id == host), None)
    return None if spec is None else spec.transcripts().text_of(record)
