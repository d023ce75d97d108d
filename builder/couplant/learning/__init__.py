"""Learning outside the step: networks from linear algorithms, weights from recordings, the learning server."""

from couplant.learning.morphism import SHAPE, morphism

__all__ = ["SHAPE", "morphism"]
