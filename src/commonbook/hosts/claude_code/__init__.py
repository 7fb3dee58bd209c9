"""Facts about Claude Code and the reader of its session files. Holds nothing that another host would also need."""
