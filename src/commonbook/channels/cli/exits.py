"""What every way of ending means to a shell; docs/commands.md tells people."""

EXIT_OK, EXIT_ERROR, EXIT_USAGE, EXIT_UNCONFIRMED = 0, 1, 2, 3
EXIT_INTERRUPTED = 130
EXIT_READER_GONE = 141
"""What a shell reports for a program that its reader left (128 + SIGPIPE)."""
