"""Learning outside the step: neural networks from linear algorithms, weights from recordings, the learning server."""
