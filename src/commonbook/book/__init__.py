"""The Markdown itself: section grammar, patches, budgets, safe files, project identity. Never imports the ledger or a model."""
