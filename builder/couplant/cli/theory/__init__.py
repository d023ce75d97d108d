"""Verbs about theory."""
