"""Reports of simulation results: one self-contained HTML page, pictures for documents."""
