"""The MCP face (stdio). Talks to the gateway only; stdout carries protocol and nothing else."""
