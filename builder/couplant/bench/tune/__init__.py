"""A bench that finds its own settings: candidates beside what is in force, taken back where they are worse."""
