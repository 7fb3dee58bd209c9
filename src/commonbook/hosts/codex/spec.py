"""Codex CLI, the coding agent of the package @openai/codex; facts read off versions 0.154.0 and 0.171.0."""

from commonbook.hosts.spec import HostSpec
from commonbook.hosts.transcripts import TranscriptSource


def _transcripts() -> TranscriptSource:
    from commonbook.hosts.codex.reader import CodexDialect
    from commonbook.hosts.jsonl import JsonlTranscripts

    return JsonlTranscripts(CodexDialect())


CODEX = HostSpec(
    id="codex",
    name="Codex CLI",
    sessions="~/.codex/sessions",
    instruction_files=("~/.codex/AGENTS.override.md", "~/.codex/AGENTS.md"),
    skills_folder="~/.codex/skills",
    headless=("codex", "exec", "{prompt}"),
    session_variable="CODEX_THREAD_ID",
    install_hint="npm install -g @openai/codex",
    transcripts=_transcripts,
)
