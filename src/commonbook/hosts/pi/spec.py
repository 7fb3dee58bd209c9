"""Pi, the coding agent of the package @earendil-works/pi-coding-agent; facts read off versions 0.85.1 and 1.6.0."""

from commonbook.hosts.spec import HostSpec
from commonbook.hosts.transcripts import TranscriptSource


def _transcripts() -> TranscriptSource:
    from commonbook.hosts.jsonl import JsonlTranscripts
    from commonbook.hosts.pi.reader import PiDialect

    return JsonlTranscripts(PiDialect())


PI = HostSpec(
    id="pi",
    name="Pi",
    sessions="~/.pi/agent/sessions",
    instruction_files=("~/.pi/agent/AGENTS.override.md", "~/.pi/agent/AGENTS.md", "~/.pi/agent/CLAUDE.md"),
    skills_folder="~/.pi/agent/skills",
    headless=("pi", "-p", "{prompt}"),
    session_variable="PI_SESSION_ID",
    install_hint="npm install -g @earendil-works/pi-coding-agent",
    transcripts=_transcripts,
)
