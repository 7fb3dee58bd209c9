"""A host is data: what another program must know to find its sessions, its instruction files and its command line."""

from collections.abc import Callable
from dataclasses import dataclass

from commonbook.hosts.transcripts import TranscriptSource


@dataclass(frozen=True)
class HostSpec:
    """Facts about one host, read off the real client.

    ``sessions``: the default place of its session files, for people to read. ``instruction_files``: in order of
    precedence, the one that wins first. ``headless``: argument list of one unattended run; ``{prompt}`` stands for the
    prompt. ``session_variable``: where the host tells its children the id of the running session. Paths may begin with
    ``~``. ``transcripts`` makes the reader, so that naming a host costs no import of what reading it needs.
    """

    id: str
    name: str
    sessions: str
    instruction_files: tuple[str, ...]
    skills_folder: str | None
    headless: tuple[str, ...]
    session_variable: str | None
    install_hint: str
    transcripts: Callable[[], TranscriptSource]
