"""The faces: they parse, call the gateway and print. Never open the ledger or a canonical file."""
