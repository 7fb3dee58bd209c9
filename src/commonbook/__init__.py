"""Commonbook: one long-term memory, owned by the user, shared by every coding agent; keep this file free of code."""
