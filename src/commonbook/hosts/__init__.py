"""What is known about each host, and how its session files are read: data and reading, never Core, never writing."""
