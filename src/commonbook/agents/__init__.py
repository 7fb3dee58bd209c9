"""Memory agents: they see a task and a grant and propose a decision. Never a database, a file or a setting."""
