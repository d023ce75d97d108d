"""FMUs as components of a run, of all versions, of this process or of one of their own."""
