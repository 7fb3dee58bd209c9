"""Claude Code, the coding agent of the package @anthropic-ai/claude-code; facts read off version 2.1.332."""

from commonbook.hosts.spec import HostSpec
from commonbook.hosts.transcripts import TranscriptSource


def _transcripts() -> TranscriptSource:
    from commonbook.hosts.claude_code.reader import ClaudeCodeDialect, beside_a_session
    from commonbook.hosts.jsonl import JsonlTranscripts, opening_lines

    return JsonlTranscripts(ClaudeCodeDialect(), opening_lines, beside_a_session)


CLAUDE_CODE = HostSpec(
    id="claude-code",
    name="Claude Code",
    sessions="~/.claude/projects",
    instruction_files=("~/.claude/rules/commonbook.md", "~/.claude/CLAUDE.md"),
    skills_folder="~/.claude/skills",
    headless=("claude", "-p", "{prompt}"),
    session_variable="CLAUDE_CODE_SESSION_ID",
    install_hint="npm install -g @anthropic-ai/claude-code",
    transcripts=_transcripts,
)
