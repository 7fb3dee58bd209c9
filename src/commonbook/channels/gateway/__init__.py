"""The one protocol that every face speaks: typed operations, typed results. Never prints and never asks a person."""
