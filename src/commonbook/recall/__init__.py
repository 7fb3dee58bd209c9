"""The read side: the current documents and the search index derived from them. Never opens the runtime database."""
