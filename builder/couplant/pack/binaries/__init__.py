"""Binaries and sources of FMUs, for this machine and for others."""
