"""Core, the authority: what may be shown, what is evidence, what is written, every commit. Never a model, network or screen."""
