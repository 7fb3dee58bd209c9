"""The offline agent: explicit first-person statements become lines, by rule. Never guesses what was not said."""
