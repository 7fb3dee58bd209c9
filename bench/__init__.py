"""Benchmarks: each runs by one command, compares within one run, and prints n. Nothing here is a test."""
