"""Real clients from npm against a model server on loopback that only says what a test wrote."""
