"""Facts about the Codex CLI and the reader of its session files. Holds nothing that another host would also need."""
