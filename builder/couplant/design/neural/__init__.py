"""Learning outside the step: neural networks from linear algorithms, weights from recordings, the learning server."""

from couplant.design.neural.morphism import SHAPE, morphism

__all__ = ["SHAPE", "morphism"]
