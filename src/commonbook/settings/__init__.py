"""What the person chose and where things are; reads and writes config.toml, decides nothing. Never imports Core."""
