"""The frame of settings files: read and checked as a whole, all errors at once."""
