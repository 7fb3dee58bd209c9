"""The terminal face. Talks to the gateway only; the place of printing and asking, never of deciding."""
