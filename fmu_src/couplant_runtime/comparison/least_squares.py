"""Recursive least squares with forgetting that neither winds up nor loses its symmetry.

    e = y - phi' p,  K = P phi / (lambda + phi' P phi),  p += K e,  P = (P - K phi' P) / lambda

Only the lower triangle of P is worked out. Without excitation, phi' P phi small, nothing is forgotten; the trace of P
is bounded, so that a long quiet stretch is not followed by a burst.
"""

from ..guard import UNLIMITED

QUIET = 1e-9


class LeastSquares:
    """Parameters of y = phi' p, identified recursively.

    Parameters
    ----------
    size : int
        Number of parameters.
    forgetting : float
        lambda, above 0, at most 1 [-].
    confidence : float
        Diagonal of P at the start, and bound of the mean diagonal [-].
    """

    def __init__(self, size: int, forgetting: float = 0.99, confidence: float = 1e4) -> None:
        self.size = size
        self.forgetting = forgetting
        self.confidence = confidence
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self.parameters = [0.0] * self.size
        self.covariance = [[self.confidence if i == j else 0.0 for j in range(self.size)] for i in range(self.size)]
        self.samples = 0

    def step(self, phi: list[float], y: float) -> float:
        """Take one sample; return the error of the prediction before it.

        Parameters
        ----------
        phi : list of float
            Regressors.
        y : float
            What came out.
        """
        error = y - self.predict(phi)
        along = [_dot(row, phi) for row in self.covariance]
        power = _dot(along, phi)
        if not 0.0 <= power <= UNLIMITED or not -UNLIMITED <= error <= UNLIMITED:
            self.reset()
            return 0.0
        fade = self.forgetting if power > QUIET else 1.0
        divisor = fade + power
        for i in range(self.size):
            self.parameters[i] = self.parameters[i] + along[i] / divisor * error
            for j in range(i + 1):
                value = (self.covariance[i][j] - along[i] * along[j] / divisor) / fade
                self.covariance[i][j] = self.covariance[j][i] = value
        self._bound()
        self.samples = self.samples + 1
        return error

    def predict(self, phi: list[float]) -> float:
        """Return phi' p for the regressors `phi`."""
        return _dot(self.parameters, phi)

    def _bound(self) -> None:
        trace = 0.0
        for i in range(self.size):
            if self.covariance[i][i] < 0.0:
                self.covariance[i][i] = 0.0
            trace = trace + self.covariance[i][i]
        most = self.confidence * self.size
        if trace > most:
            part = most / trace
            self.covariance = [[part * value for value in row] for row in self.covariance]


def _dot(a: list[float], b: list[float]) -> float:
    total = 0.0
    for i in range(len(a)):
        total = total + a[i] * b[i]
    return total
