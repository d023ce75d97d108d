"""Energy of a recorded power bond: books as those of the FMU's stage, open loop, signs, sampling, budget."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from couplant.analysis import generic
from couplant.analysis.signal.energy import Convention, balance, open_loop, passage
from couplant.base.errors import UsageError
from couplant.tables import resample
from couplant.tables.bonds import BondColumns, BondRecording, Estimated, read_bond
from couplant_runtime.generated.algorithms import ZOH
from tests.cosim.conftest import EXAMPLES
from tests.kernel.library import needs_compiler
from tests.networks.bonds import BUDGET, Run
from tests.networks.bonds import simulate as run_bond
from tests.networks.loop import STEP, reference
from tests.unwired import simulate

COLUMNS = BondColumns("f", "x1")
X1, V1, F = range(3)
PUBLISHED = {
    "event": {"zoh": 0.330, "foh": 0.0025, "eros3": -0.0040, "eros4": -0.0011},
    "step": {"zoh": 0.430, "foh": 0.0303, "eros3": 0.0211, "eros4": 0.0246},
}
WINDOW = 250


def bond(effort, flow, effort_received=None, flow_received=None, time=None):
    """Return a recording of signals on the grid of the oscillator."""
    received = None if effort_received is None else (Estimated(effort_received), Estimated(flow_received))
    return BondRecording(STEP * np.arange(effort.size) if time is None else time, effort, flow, received, COLUMNS)


@lru_cache
def undelayed():
    signals = reference(False)
    return bond(signals[:, F].copy(), signals[:, X1].copy())


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Return the recording that `couplant simulate` writes of the oscillator with an algorithm at a latency."""

    @lru_cache
    def record(algorithm, k, timing):
        folder = tmp_path_factory.mktemp("run")
        words = [f"network.latency_steps={k}", f'algorithms=["{algorithm}"]', f'timing=["{timing}"]']
        simulate(EXAMPLES / "01_two_mass_oscillator" / "scenario.toml", words, output=folder)
        return read_bond(folder / "runs" / f"{timing}_{algorithm}.csv", BondColumns.of_run("f:x1"))

    return record


@pytest.mark.parametrize("timing", ["event", "step"])
def test_open_loop_of_the_undelayed_oscillator(timing):
    effort, flow = (resample(undelayed().time, y) for y in (undelayed().effort, undelayed().flow))
    pairs = {name: (generic(name, 3), generic(name, 3)) for name in (*PUBLISHED[timing], "smb")}
    found = open_loop(effort, flow, pairs, Convention(timing=timing))
    for name, share in PUBLISHED[timing].items():
        assert round(found[name].whole.share, 3 if abs(share) > 0.1 else 4) == share


def test_a_hold_alone_creates_2_6_percent():
    """At k = 0 the displacement is exact, the force half a step late."""
    effort, flow = (resample(undelayed().time, y) for y in (undelayed().effort, undelayed().flow))
    found = open_loop(effort, flow, {"zoh": (generic("zoh", 0),) * 2}, Convention())["zoh"].whole
    assert found.share == pytest.approx(0.0257, abs=5e-5) and found.flow == 0.0


def test_the_plain_wire_creates_as_much_in_step_timing_as_held_values_do_in_event_timing():
    """It is a macro step less late than ZOH there."""
    effort, flow = (resample(undelayed().time, y) for y in (undelayed().effort, undelayed().flow))
    wire = open_loop(effort, flow, {"zoh": (generic("zoh", 2),) * 2}, Convention(timing="step"))["zoh"].whole
    assert wire.share == pytest.approx(PUBLISHED["event"]["zoh"], abs=5e-4)


@pytest.mark.landing("closed loops: 7 s of CPU")
@pytest.mark.sample(1)
@needs_compiler
@pytest.mark.parametrize(
    ("algorithm", "k", "published", "share"),
    [("foh", 5, 0.002, 0.0095), ("foh", 8, 0.034, 0.0296), ("foh", 12, 0.105, 0.0990), ("zoh", 1, 0.117, 0.1287)],
)
def test_closed_loops_in_event_timing(recorded, algorithm, k, published, share):
    """The published figures take the end of the flow a step later, as the stage books it; the balance does not."""
    found = balance(recorded(algorithm, k, "event"), Convention())
    assert round(found.last.share, 4) == share
    given, taken = found.passage.energy + found.effort, found.flow - found.passage.energy
    created = given[-1] - given[-1 - WINDOW] + taken[-2] - taken[-2 - WINDOW]
    assert round(created / found.last.transmitted, 3) == published
    assert found.grade == ("creates" if k != 5 else "neutral")


@pytest.mark.sample(1)
@needs_compiler
@pytest.mark.parametrize(
    ("algorithm", "k", "timing", "tolerance"),
    [("eros3", 8, "step", 1e-9), ("zoh", 1, "event", 1e-9), ("foh", 8, "event", 5e-4), ("eros3", 3, "event", 5e-4)],
)
def test_the_books_are_those_of_the_stage(recorded, algorithm, k, timing, tolerance):
    """In event timing the stage adds what the slope of an effort does as its receiver gives way, 3e-4 at most here."""
    found = balance(recorded(algorithm, k, timing), Convention(timing=timing))
    flow, effort = run_bond(Run(algorithm, k, timing, bond=(("take_back", 0.0),))).ends
    last, late = -1, -1 - (timing == "event")
    allowed = tolerance * found.whole.transmitted
    assert found.passage.energy[last] + found.effort[last] == pytest.approx(effort.given, abs=allowed)
    assert found.flow[late] - found.passage.energy[late] == pytest.approx(flow.given, abs=allowed)


@needs_compiler
def test_growth_is_explained_by_the_energy_created(recorded):
    """EROS3 at k = 8 in step timing: what x1, v1 and f grew by in the last 5 s, squared."""
    found = balance(recorded("eros3", 8, "step"), Convention(timing="step"))
    measured = 2.0 * np.log(run_bond(Run("eros3", 8)).growth) / (STEP * WINDOW)
    assert found.grade == "creates" and found.growth == pytest.approx(measured, rel=0.1)


@needs_compiler
def test_a_late_row_in_hosts_that_do_not_read_again(recorded):
    one = recorded("eros3", 8, "step")
    late = replace(one, received=(one.received[0], Estimated(np.append(0.0, one.received[1].value[:-1]))))
    fresh, stale = balance(late, Convention(timing="step")), balance(one, Convention(timing="step", host="jacobi"))
    assert stale.flow == pytest.approx(fresh.flow, abs=1e-12)
    assert stale.whole.flow != pytest.approx(balance(one, Convention(timing="step")).whole.flow, rel=0.01)


def test_the_budget_of_the_undelayed_oscillator():
    """Four times the largest energy in k + 1 steps is a little more than three tenths of the largest energy."""
    assert BUDGET < passage(undelayed(), Convention()).budget(3) == pytest.approx(0.00976, abs=5e-6)


def late(y, rows):
    return np.concatenate([np.full(rows, y[0]), y[:-rows]])


def waves(count=2000, dt=STEP, omega=2.0):
    t = dt * np.arange(count)
    return t, np.cos(omega * t) - 3.0 * np.sin(omega * t), np.sin(omega * t)


def delayed(flow_is="displacement", rows=3):
    """Return a force and its displacement or velocity, each received some rows late."""
    t, f, x = waves()
    flow = x if flow_is == "displacement" else 2.0 * np.cos(2.0 * t)
    return bond(f, flow, late(f, rows), late(flow, rows), t)


@pytest.mark.parametrize("flow_is", ["displacement", "velocity"])
def test_a_pure_delay_turns_power_that_goes_to_and_fro_into_created_energy(flow_is):
    """With f = -F sin ωt and v = V cos ωt each end gets F V/2 sin ωτ on average."""
    t, _, x = waves()
    f, flow = -3.0 * x, x if flow_is == "displacement" else 2.0 * np.cos(2.0 * t)
    found = balance(bond(f, flow, late(f, 3), late(flow, 3), t), Convention(flow_is)).span(500, 1500)
    each = 0.5 * 3.0 * 2.0 * np.sin(2.0 * 3 * STEP) * 1000 * STEP
    assert (found.effort, found.flow) == pytest.approx((each, each), rel=0.02)


def test_the_shares_of_both_ends_are_the_energy_at_the_ports():
    one = delayed()
    found = balance(one, Convention(timing="step"))
    f, x, f_got, x_got = one.effort, one.flow, *(got.value for got in one.received)
    at_effort = np.sum(f_got[:-1] * np.diff(x))
    at_flow = -np.sum(0.5 * (f[1:] + f[:-1]) * np.diff(x_got))
    assert found.whole.created == pytest.approx(at_effort + at_flow, rel=1e-12)


@pytest.mark.parametrize("flow_is", ["displacement", "velocity"])
def test_scale_and_sign(flow_is):
    one = delayed(flow_is)
    scaled = replace(one, effort=4 * one.effort, received=(Estimated(4 * one.received[0].value), one.received[1]))
    found, larger = balance(one, Convention(flow_is)), balance(scaled, Convention(flow_is))
    assert larger.created == pytest.approx(4 * found.created, rel=1e-12)
    assert larger.last.share == pytest.approx(found.last.share, rel=1e-12)
    assert balance(one, Convention(flow_is, -1)).created == pytest.approx(-found.created, rel=1e-12)


def test_where_a_displacement_begins_does_not_matter():
    one = delayed()
    moved = replace(one, flow=one.flow + 7.0, received=(one.received[0], Estimated(one.received[1].value - 2.0)))
    assert balance(moved, Convention()).created == pytest.approx(balance(one, Convention()).created, abs=1e-12)


def test_velocity_and_displacement_agree_where_they_are_sampled_finely():
    t, f, x = waves(20_000, 0.002)
    v = 2.0 * np.cos(2.0 * t)
    shares = [
        balance(bond(f, y, late(f, 30), late(y, 30), t), Convention(flow_is)).last.share
        for y, flow_is in ((x, "displacement"), (v, "velocity"))
    ]
    assert shares[0] == pytest.approx(shares[1], rel=1e-3)


def test_rows_need_not_be_regular():
    """Every third row of one half of the recording is missing."""
    one = delayed()
    kept = (np.arange(one.time.size) % 3 != 1) | (one.time > 20.0)
    fewer = BondRecording(
        one.time[kept],
        one.effort[kept],
        one.flow[kept],
        tuple(Estimated(got.value[kept]) for got in one.received),
        COLUMNS,
    )
    whole, sparse = (balance(y, Convention()) for y in (one, fewer))
    assert sparse.passage.time == pytest.approx(whole.passage.time)
    assert sparse.whole.transmitted == pytest.approx(whole.whole.transmitted, rel=2e-3)
    assert sparse.whole.created == pytest.approx(whole.whole.created, abs=2e-3 * whole.whole.transmitted)


def test_a_larger_macro_step_leaves_created_energy_as_it_is():
    rows, steps = (balance(delayed(), Convention(), step) for step in (None, 0.06))
    assert steps.passage.macro_step == 0.06
    assert steps.effort == pytest.approx(rows.effort[::3], abs=1e-12)


def test_mean_power():
    """Torque times speed: the budget is that of k + 1 steps of it, and nothing is said about growth."""
    t = STEP * np.arange(1000)
    torque, speed = 50.0 + np.sin(t), 100.0 + np.cos(t)
    found = balance(bond(torque, speed, late(torque, 3), late(speed, 3), t), Convention("velocity"))
    assert found.passage.budget(3) == pytest.approx(4 * 4 * STEP * 5000.0, rel=0.03)
    assert found.growth is None and found.grade == "neutral"


def test_the_largest_window():
    """The received force has the wrong size from 20 s to 22 s."""
    one = delayed(rows=1)
    got = one.received[0].value.copy()
    burst = (one.time >= 20.0) & (one.time < 22.0)
    got[burst] += 20.0 * np.sign(np.gradient(one.flow))[burst]
    found = balance(replace(one, received=(Estimated(got), one.received[1])), Convention())
    assert 17.0 <= found.largest.start <= 20.0 and found.largest.end - found.largest.start == pytest.approx(5.0)
    assert found.largest.effort > 10.0 * abs(found.largest.flow)


@pytest.mark.parametrize("end", [0, 1])
def test_a_received_signal_of_the_wrong_sign_is_found(end):
    one = delayed()
    received = [Estimated(-got.value) if i == end else got for i, got in enumerate(one.received)]
    assert balance(one, Convention()).reversed_ends() == (False, False)
    wrong = balance(replace(one, received=tuple(received)), Convention()).reversed_ends()
    assert wrong == (end == 0, end == 1)


def test_nothing_is_graded_where_hardly_anything_passes():
    one = delayed()
    still = np.where(one.time < 20.0, 1.0, 0.0)
    quiet = replace(
        one, effort=one.effort * still, received=(Estimated(one.received[0].value * still), one.received[1])
    )
    assert balance(one, Convention()).grade != "unknown" == balance(quiet, Convention()).grade
    short = BondRecording(one.time[:80], one.effort[:80], one.flow[:80], None, COLUMNS)
    few = replace(short, received=tuple(Estimated(got.value[:80]) for got in one.received))
    assert balance(few, Convention()).grade == "unknown"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"flow_is": "position"}, "flow_is"),
        ({"sign": 2}, "sign = 2"),
        ({"timing": "both"}, "timing"),
        ({"host": "other"}, "host"),
    ],
)
def test_conventions_are_checked(change, said):
    with pytest.raises(UsageError, match=said):
        Convention(**change)


def test_what_cannot_be_booked_is_refused():
    huge = replace(delayed(), effort=np.full(2000, 1e300) * np.arange(2000))
    with pytest.raises(UsageError, match="too large"):
        balance(replace(huge, flow=1e9 * huge.flow), Convention())
    with pytest.raises(UsageError, match="received"):
        balance(undelayed(), Convention())
    for step in (-1.0, 0.0, 1e9, 1e-9):
        with pytest.raises(UsageError, match="macro_step"):
            passage(undelayed(), Convention(), step)


def test_effort_and_flow_swapped():
    """What both ends get of a displacement is the same by parts; a velocity times an effort is the other end's work."""
    for flow_is, sign in (("displacement", 1.0), ("velocity", -1.0)):
        one = delayed(flow_is)
        other = replace(one, effort=one.flow, flow=one.effort, received=one.received[::-1])
        found, swapped = (balance(y, Convention(flow_is)).span(500, 1500) for y in (one, other))
        assert found.share > 0.1 and swapped.created == pytest.approx(sign * found.created, rel=0.02)


def test_zoh_is_flat_at_any_latency():
    """The numbers of the algorithms tell that values are held; without them a line runs on to the next one."""
    one, code = delayed(), np.full(2000, ZOH)
    told = replace(one, received=tuple(Estimated(got.value, code, k=1) for got in one.received))
    held = balance(one, Convention(timing="step"))
    assert balance(told, Convention()).created == pytest.approx(held.created, abs=1e-12)
    assert balance(one, Convention()).whole.created < 0.95 * held.whole.created
