"""What a bench shows while it runs: frames of the sides, their history, a server of the page."""
