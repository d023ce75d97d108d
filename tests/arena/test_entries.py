"""Entries of the arena against what their papers say, and against equations solved by other means."""

import numpy as np
import pytest
from scipy.linalg import expm, solve_discrete_are

from couplant.base.errors import UsageError
from couplant.lab.arena.entries import ENTRIES, FOREIGN, find_entries, load_entries
from couplant.lab.arena.entries.adaptive import (
    AdaptiveInverse,
    AdaptiveTimeSeries,
    AutoRegression,
    NormalisedLms,
    RecursiveLeastSquares,
)
from couplant.lab.arena.entries.filters import DampedHolt, Kalman
from couplant.lab.arena.entries.models import KnownLoop
from couplant.lab.arena.entries.networks import EchoState, _Net
from couplant.lab.arena.entries.polynomial import Horiuchi, LinearAcceleration
from couplant.lab.arena.entries.windows import Ridge, relative

RANDOM = np.random.default_rng(7)
CLASSES = {entry.name: entry.make for entry in ENTRIES if entry.side == FOREIGN and not entry.needs}


class Spiral(KnownLoop):
    """A loop of two states, to be known."""

    states = np.array([[-0.5, 8.0], [-8.0, -0.5]])


def made(name):
    return Spiral(0.01) if name == "known_loop" else CLASSES[name]()


def count_of(one, k):
    return one.values(k) if callable(one.values) else one.values


def drive(one, y, k):
    """Return the estimates of `one` for the values `y`, NaN before there are enough that have arrived."""
    m, found = count_of(one, k), np.full(len(y), np.nan)
    for n in range(k + m - 1, len(y)):
        past = y[n - k - m + 1 : n - k + 1][::-1].tolist()
        if hasattr(one, "learn"):
            one.learn(past, k)
        found[n] = one.estimate(past, k)[0]
    return found


@pytest.mark.parametrize("k", [1, 3, 8])
def test_horiuchi_has_the_published_coefficients(k):
    """Horiuchi and others 1999: 4, -6, 4, -1 for values that lie the delay apart."""
    past = RANDOM.standard_normal(3 * k + 1).tolist()
    expected = 4.0 * past[0] - 6.0 * past[k] + 4.0 * past[2 * k] - past[3 * k]
    assert Horiuchi().estimate(past, k)[0] == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("k", [0, 1, 5])
def test_horiuchi_and_linear_acceleration_are_cubics(k):
    """Both pass through four values; between and behind them it is the one cubic, which numpy fits."""
    apart = max(k, 1)
    past = RANDOM.standard_normal(3 * apart + 1)
    for one, places in ((Horiuchi(), apart * np.arange(4)), (LinearAcceleration(), np.arange(4))):
        fit = np.polyfit(-places, past[: places[-1] + 1][places], 3)
        level, slope = one.estimate(past.tolist(), k)
        assert level == pytest.approx(np.polyval(fit, k), rel=1e-8, abs=1e-8)
        assert level + slope == pytest.approx(np.polyval(fit, k + 1), rel=1e-8, abs=1e-8)


def test_the_gain_of_the_kalman_filter_solves_the_riccati_equation():
    one, H = Kalman(), np.array([[1.0, 0.0, 0.0]])
    ahead = solve_discrete_are(Kalman.PHI.T, H.T, one.noise(), np.eye(1))
    assert one.gain == pytest.approx(ahead[:, 0] / (ahead[0, 0] + 1.0), rel=1e-8)


def test_the_kalman_filter_goes_on_with_a_constant_acceleration():
    t = np.arange(60.0)
    found = drive(Kalman(), 3.0 - 0.5 * t + 0.02 * t * t, 4)
    assert found[-1] == pytest.approx(3.0 - 0.5 * 59 + 0.02 * 59 * 59, abs=1e-5)


def test_holt_is_the_error_correction_form_of_its_paper():
    """Gardner 1985, (5) to (7): level and trend are corrected by the error of the forecast one step ahead."""
    past = RANDOM.standard_normal(DampedHolt.values)
    alpha, beta, phi = DampedHolt.LEVEL, DampedHolt.TREND, DampedHolt.DAMPING
    level, trend = past[-2], past[-2] - past[-1]
    for value in past[-3::-1]:
        error = value - (level + phi * trend)
        level, trend = level + phi * trend + alpha * error, phi * trend + alpha * beta * error
    forecast = level + sum(phi**i for i in range(1, 6)) * trend
    assert DampedHolt().ahead(past.tolist(), 5) == pytest.approx(forecast, rel=1e-12)


def test_recursive_least_squares_solve_the_weighted_normal_equations():
    X, y, forgetting, doubt = RANDOM.standard_normal((60, 3)), RANDOM.standard_normal(60), 0.97, 100.0
    fit = RecursiveLeastSquares(np.zeros(3), forgetting, doubt)
    for row, target in zip(X, y, strict=True):
        fit.update(row, target)
    weight = forgetting ** np.arange(59.0, -1.0, -1.0)
    normal = X.T @ (weight[:, None] * X) + forgetting**60 / doubt * np.eye(3)
    assert fit.weights == pytest.approx(np.linalg.solve(normal, X.T @ (weight * y)), rel=1e-9)


def coloured(count=6000):
    """Return an autoregressive signal with the coefficients 1.5 and -0.8."""
    noise, y = np.random.default_rng(3).standard_normal(count), np.zeros(count)
    for n in range(2, count):
        y[n] = 1.5 * y[n - 1] - 0.8 * y[n - 2] + noise[n]
    return y


def test_the_autoregression_finds_the_coefficients_and_iterates_them():
    class Patient(AutoRegression):
        FORGETTING = 1.0

    one, y = Patient(), coloured()
    drive(one, y, 2)
    assert one.fit.weights[:2] == pytest.approx([1.5, -0.8], abs=0.05)
    assert np.abs(one.fit.weights[2:]).max() < 0.06
    past, (a, *rest) = y[-13:][::-1], one.fit.weights
    first = one.fit.weights @ past[:12]
    assert one.ahead(past.tolist(), 2) == pytest.approx(a * first + np.dot(rest, past[:11]), rel=1e-9)


def test_the_lms_filter_comes_to_the_error_of_the_normal_equations():
    class Slow(NormalisedLms):
        STEP = 0.02

    one, y = Slow(), coloured(12_000)
    found = drive(one, y, 1)[6000:]
    windows = np.lib.stride_tricks.sliding_window_view(y, one.ORDER + 1)[:, ::-1]
    wiener = np.linalg.lstsq(windows[:, 1:], windows[:, 0], rcond=None)[0]
    least = np.mean((windows[:, 1:] @ wiener - windows[:, 0]) ** 2)
    assert 0.9 * least < np.mean((found - y[6000:]) ** 2) < 1.1 * least


def test_the_time_series_compensator_fits_its_window():
    """The coefficients are those of numpy's least squares over the same rows, where the bounds allow them."""
    one, t, k = AdaptiveTimeSeries(), np.arange(400.0), 3
    y = np.sin(0.1 * t) + 0.2 * np.sin(0.2 * t)
    drive(one, y, k)
    newest = np.arange(399 - k, 399 - k - AdaptiveTimeSeries.ROWS, -1)
    x0, x1, x2 = (y[newest - k - i] for i in range(3))
    X = np.stack([x0, 1.5 * x0 - 2.0 * x1 + 0.5 * x2, x0 - 2.0 * x1 + x2], axis=1)
    assert one.coefficients(k) == pytest.approx(np.linalg.lstsq(X, y[newest], rcond=None)[0], rel=1e-6)


def test_the_coefficients_of_the_compensator_keep_their_bounds():
    one = AdaptiveTimeSeries()
    drive(one, RANDOM.standard_normal(400), 4)
    pure = np.array([1.0, 4.0, 8.0])
    assert np.all(np.abs(one.coefficients(4) - pure) <= np.array(AdaptiveTimeSeries.LIMITS) * pure * (1.0 + 1e-12))


def test_the_inverse_measures_the_delay_of_a_ramp():
    one = AdaptiveInverse()
    found = drive(one, 0.5 * np.arange(120.0), 4)
    assert found[-1] == pytest.approx(0.5 * 119.0, rel=1e-9)


def test_the_ridge_is_that_of_stacked_least_squares():
    one, y, k = Ridge(), coloured(600), 2
    drive(one, y, k)
    newest = np.arange(599 - k, 599 - k - Ridge.ROWS, -1)
    X = relative(np.array([y[n - k - np.arange(Ridge.ORDER)] for n in newest]))
    penalty = Ridge.PENALTY * np.trace(X.T @ X)
    stacked = np.vstack([X, np.sqrt(penalty) * np.eye(Ridge.ORDER - 1)])
    targets = np.concatenate([y[newest] - y[newest - k], np.zeros(Ridge.ORDER - 1)])
    assert one.weights(k) == pytest.approx(np.linalg.lstsq(stacked, targets, rcond=None)[0], rel=1e-6)


def test_the_slopes_of_the_perceptron_are_those_of_small_steps():
    net, X, y = _Net(4, 3, np.random.default_rng(1)), RANDOM.standard_normal((5, 4)), RANDOM.standard_normal(5)
    loss = lambda: 0.5 * np.mean((net.forward(X) - y) ** 2)  # noqa: E731
    for part, slope in zip(net.parts, net.slopes(X, y), strict=True):
        for place in np.ndindex(part.shape):
            part[place] += 1e-6
            up = loss()
            part[place] -= 2e-6
            down = loss()
            part[place] += 1e-6
            assert slope[place] == pytest.approx((up - down) / 2e-6, rel=1e-5, abs=1e-9)


def test_the_reservoir_forgets():
    """Its largest eigenvalue is inside of the unit circle: the echo state property of small inputs."""
    assert np.abs(np.linalg.eigvals(EchoState()._inner)).max() == pytest.approx(EchoState.RADIUS, rel=1e-9)


@pytest.mark.parametrize("name", ["ats", "nlms", "ar_rls", "ridge", "perceptron", "echo_state"])
def test_what_learns_foretells_a_sine(name):
    y, k = np.sin(0.15 * np.arange(1500.0)), 4
    found = drive(made(name), y, k)[1000:]
    held = y[1000 - k : -k]
    assert np.abs(found - y[1000:]).mean() < 0.15 * np.abs(held - y[1000:]).mean()


def test_the_known_loop_is_exact_while_nothing_pushes():
    step = expm(0.01 * Spiral.states)
    x, y = np.array([1.0, 0.3]), []
    for _ in range(80):
        y.append(x[1])
        x = step @ x
    found = drive(Spiral(0.01), np.array(y), 6)
    assert found[30:] == pytest.approx(y[30:], abs=1e-7)


@pytest.mark.parametrize("name", CLASSES)
def test_estimates_scale_with_the_signal(name):
    y = np.cumsum(np.random.default_rng(5).standard_normal(160))
    first, second = drive(made(name), y, 3), drive(made(name), 4.0 * y, 3)
    assert second[-60:] == pytest.approx(4.0 * first[-60:], rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("name", [name for name in CLASSES if name not in ("nlms", "ar_rls", "known_loop")])
def test_a_constant_stays(name):
    found = drive(made(name), np.full(160, -2.5), 3)
    assert found[-60:] == pytest.approx(np.full(60, -2.5), rel=1e-9)


def test_boosted_trees_beat_a_hold():
    lightgbm = pytest.importorskip("lightgbm", reason="the package lightgbm is missing")
    assert lightgbm is not None
    from couplant.lab.arena.entries.windows import BoostedTrees

    y, k = np.sin(0.15 * np.arange(900.0)), 4
    found = drive(BoostedTrees(), y, k)[600:]
    assert np.abs(found - y[600:]).mean() < 0.3 * np.abs(y[600 - k : -k] - y[600:]).mean()


def test_an_entry_whose_package_is_missing_says_so(monkeypatch):
    monkeypatch.setattr("couplant.lab.arena.entries.find_spec", lambda name: None)
    missing = [entry.missing for entry in ENTRIES if entry.missing]
    assert missing == ["lightgbm is left out: the package lightgbm is missing (pip install lightgbm)"]


def test_names_that_are_none_are_refused():
    with pytest.raises(UsageError, match=r"^entry = best, allowed wire, foh, smb, .*known_loop$"):
        find_entries(["best"])


def test_a_file_may_not_take_the_name_of_an_entry(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import couplant\n\n@couplant.algorithm(values=1)\ndef kalman(past, k):\n    return past[0]\n")
    with pytest.raises(UsageError, match=r"mine\.py: the name kalman is that of an entry of the arena"):
        load_entries(path)
