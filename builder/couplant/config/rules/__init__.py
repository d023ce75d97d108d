"""Rules that settings must fulfil together."""
