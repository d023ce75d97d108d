"""Verbs about signals and recordings."""
