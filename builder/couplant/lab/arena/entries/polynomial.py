"""Foreign entries that lay a curve through the newest values, of hybrid simulation."""

from collections.abc import Callable, Sequence

Past = Sequence[float]
"""Values that have arrived, newest first, one a macro step [signal unit]."""

_FARTHEST = 21  # macro steps between the values of a cubic at most: 64 are kept


class Ahead:
    """An algorithm that says what the value is so many macro steps after the newest one that has arrived."""

    values: int | Callable[[int], int] = 2  # past values that it needs, newest first, or how many at a latency

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one, 0 and more."""
        raise NotImplementedError(type(self).__name__)

    def estimate(self, past: Past, k: int) -> tuple[float, float]:
        """Return the value at the latency `k` [macro steps], and what it changes by in the macro step that follows."""
        level = self.ahead(past, k)
        return level, self.ahead(past, k + 1) - level


class Horiuchi(Ahead):
    """Cubic through four values that lie the latency apart (Horiuchi, Inoue, Konno, Namita 1999).

    At the latency itself its weights are 4, -6, 4, -1.
    """

    @staticmethod
    def values(k: int) -> int:
        """Return the values that reach back three times the latency `k` [macro steps]."""
        return 3 * min(max(k, 1), _FARTHEST) + 1

    def estimate(self, past: Past, k: int) -> tuple[float, float]:
        """Return value and change as `Ahead` does; the values lie `k` macro steps apart."""
        apart = min(max(k, 1), _FARTHEST)
        nodes = past[0], past[apart], past[2 * apart], past[3 * apart]
        level = cubic(nodes, k / apart)
        return level, cubic(nodes, (k + 1) / apart) - level


def cubic(nodes: Sequence[float], s: float) -> float:
    """Return the cubic through four `nodes` at 0, -1, -2, -3 at the place `s` [distances of nodes]."""
    first, second = s * (s + 1.0), (s + 2.0) * (s + 3.0)
    near = (s + 1.0) * second * nodes[0] - 3.0 * s * second * nodes[1]
    return (near + 3.0 * first * (s + 3.0) * nodes[2] - first * (s + 2.0) * nodes[3]) / 6.0


class LinearAcceleration(Ahead):
    """Motion whose acceleration goes on along its line (Horiuchi, Konno 2001).

    x + v δ + a δ²/3 + (a + Δa δ) δ²/6 with δ in macro steps. The integration scheme of a test knows velocity and
    acceleration; here they are one-sided differences of four values.
    """

    values = 4

    def ahead(self, past: Past, steps: int) -> float:
        """Return the value `steps` macro steps after the newest one."""
        x0, x1, x2, x3 = past[:4]
        velocity = (11.0 * x0 - 18.0 * x1 + 9.0 * x2 - 2.0 * x3) / 6.0
        now, before = 2.0 * x0 - 5.0 * x1 + 4.0 * x2 - x3, x0 - 2.0 * x1 + x2
        foreseen = now + steps * (now - before)
        return x0 + steps * velocity + steps * steps * (now / 3.0 + foreseen / 6.0)
