"""Runs: the master, its exchange and steps, the delay-free reference."""
