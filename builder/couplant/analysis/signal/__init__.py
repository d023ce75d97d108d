"""Recordings and measured latencies: spectra, noise, lag, quality, energy."""
