"""The page of a bench while it runs: frames of the sides, their history, a server."""
