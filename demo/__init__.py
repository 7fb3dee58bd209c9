"""The main job on bundled recordings of real sessions; run by ``make demo``."""
