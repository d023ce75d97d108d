"""The network: what arrives when, statistics of latency and loss, order, seeds, replay."""

import math

import numpy as np
import pytest

from couplant.base.errors import UsageError
from couplant.pack.models import build_model_fmu, read_latencies
from tests.models.carrier import NEVER, Carrier, uniform
from tests.native import Native

STEP = 0.01
CONSTANT, UNIFORM, ERLANG, REPLAY = 1, 2, 3, 4


def carry(instance, steps, size=STEP, fresh=False):
    """Send n at step n; return rows (received, stamp, valid) at the end of each step, or after setting at its start."""
    rows = []
    for n in range(steps):
        assert instance.set("value", float(n)) == 0
        if fresh:
            rows.append([instance.get(name) for name in ("received", "stamp", "valid")])
        assert instance.step(n * size, size) == 0
        if not fresh:
            rows.append([instance.get(name) for name in ("received", "stamp", "valid")])
    return np.array(rows)


@pytest.mark.parametrize("k", [1, 2, 3, 7, 100, 255])
@pytest.mark.parametrize("size", [0.02, 0.01, 1e-3])
def test_whole_steps_of_latency_are_whole_steps(make, k, size):
    rows = carry(make("network", **{"latency.seconds": k * size, "sample_time": size}), 700, size)
    assert (rows[: k - 1] == [0.0, NEVER, 0.0]).all()
    assert (rows[k - 1 :, 0] == np.arange(700 - k + 1)).all()
    assert (rows[k - 1 :, 1] == np.arange(700 - k + 1) * size).all()
    assert (rows[k - 1 :, 2] == 1.0).all()


def test_without_latency_the_value_itself_is_read_after_setting(make):
    rows = carry(make("network", sample_time=STEP), 20, fresh=True)
    assert (rows[:, 0] == np.arange(20)).all()
    assert (rows[:, 2] == 1.0).all()


def test_reading_after_setting_changes_nothing(make):
    settings = {"latency.mode": UNIFORM, "latency.jitter": 0.05, "loss": 0.3}
    one, other = make("network", **settings), make("network", **settings)
    carry(one, 50, fresh=True), carry(other, 50)
    assert one.serialise() == other.serialise()


def test_the_value_before_all(make):
    rows = carry(make("network", **{"received.start": 7.5, "latency.seconds": 0.05}), 4)
    assert (rows == [7.5, NEVER, 0.0]).all()


def test_between_values_the_last_one_stays(make):
    rows = carry(make("network", **{"sample_time": 4 * STEP, "latency.seconds": 2 * STEP}), 12)
    assert list(rows[:, 2]) == [0.0, 1.0, 0.0, 0.0] * 3
    assert list(rows[1:, 0]) == [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8]


def test_micro_steps_send_once_in_a_macro_step(make):
    micro = carry(make("network", **{"sample_time": STEP, "latency.seconds": 3 * STEP}), 400, STEP / 8)
    assert micro[:, 2].sum() == 400 / 8 - 2
    assert (np.unique(micro[micro[:, 2] == 1.0, 0]) == np.arange(0, 48 * 8, 8)).all()


def test_a_late_host_sends_once(make):
    instance = make("network", sample_time=STEP)
    for t, h in ((0.0, STEP), (STEP, 5 * STEP), (6 * STEP, STEP)):
        instance.set("value", t)
        assert instance.step(t, h) == 0
        assert (instance.get("received"), instance.get("stamp")) == (t, t)


def latencies(rows, steps, size=STEP):
    """Stamps and latencies, rounded up to steps, of all that was given out."""
    arrived = rows[rows[:, 2] == 1.0]
    ends = (np.flatnonzero(rows[:, 2]) + 1) * size
    return arrived[:, 1], np.rint((ends - arrived[:, 1]) / size).astype(int)


def test_whole_steps_of_jitter_are_uniform(make):
    settings = {"latency.mode": UNIFORM, "latency.seconds": 3 * STEP, "latency.jitter_steps": 2}
    instance = make("network", **settings, sample_time=STEP)
    _, steps = latencies(carry(instance, 6000), 6000)
    assert set(steps) == {3, 4, 5}
    # the newest of what arrives together is shown: with j extra steps unless one of the next j arrives then too
    shares = np.array([np.mean(steps == k) for k in (3, 4, 5)])
    expected = np.array([9.0, 6.0, 4.0]) / 19.0
    assert np.abs(shares - expected).max() < 0.03


def test_continuous_jitter_is_uniform(make):
    """Sent every 0.5 s, looked at every 10 ms: every latency is seen, rounded up to 10 ms."""
    settings = {"latency.mode": UNIFORM, "latency.seconds": 0.1, "latency.jitter": 0.2, "sample_time": 0.5}
    _, steps = latencies(carry(make("network", **settings), 25_000), 25_000)
    seconds = steps * STEP
    assert len(seconds) >= 499
    assert seconds.min() == pytest.approx(0.11) and seconds.max() == pytest.approx(0.3)
    assert seconds.mean() - STEP / 2 == pytest.approx(0.2, abs=4 * 0.2 / math.sqrt(12 * 500))


@pytest.mark.sample(1)
@pytest.mark.parametrize("order", [1, 4, 16])
def test_erlang_has_its_mean_and_spread(make, order):
    settings = {"latency.mode": ERLANG, "latency.seconds": 0.05, "latency.jitter": 0.1, "latency.order": order}
    rows = carry(make("network", **settings, sample_time=0.25), 25_000)
    _, steps = latencies(rows, 25_000)
    extra = (steps - 0.5) * STEP - 0.05
    spread = 0.1 / math.sqrt(order)
    assert len(extra) > 980
    assert extra.mean() == pytest.approx(0.1, abs=4 * spread / math.sqrt(1000))
    assert extra.std() == pytest.approx(spread, rel=0.15)


@pytest.mark.parametrize("loss", [0.0, 0.05, 0.5, 1.0])
def test_loss_has_its_probability(make, loss):
    rows = carry(make("network", loss=loss, sample_time=STEP), 8000)
    assert 1.0 - rows[:, 2].mean() == pytest.approx(loss, abs=4 * math.sqrt(loss * (1 - loss) / 8000))


def test_losses_are_independent_of_each_other(make):
    lost = 1.0 - carry(make("network", loss=0.3, sample_time=STEP), 8000)[:, 2] - 0.3
    assert abs(np.mean(lost[1:] * lost[:-1])) < 4 * 0.21 / math.sqrt(8000)


@pytest.mark.parametrize(("loss", "run"), [(0.05, 2.0), (0.12, 4.0), (0.5, 1.0)])
def test_losses_in_a_row_have_their_share_and_their_mean_length(make, loss, run):
    lost = carry(make("network", loss=loss, loss_run=run, sample_time=STEP), 20_000)[:, 2] == 0.0
    begins = np.count_nonzero(lost[1:] & ~lost[:-1]) + lost[0]
    same = 1.0 - (1.0 + loss / (1.0 - loss)) / run  # correlation of a loss with the one before
    spread = math.sqrt(loss * (1.0 - loss) * (1.0 + same) / (1.0 - same) / lost.size)
    assert lost.mean() == pytest.approx(loss, abs=4.0 * spread)
    assert lost.sum() / begins == pytest.approx(run, abs=4.0 * math.sqrt(run * (run - 1.0) / begins) + 1e-12)


@pytest.mark.parametrize("k", [1, 3])
def test_a_batch_arrives_with_its_last_message(make, k):
    rows = carry(make("network", batch=4, sample_time=STEP, **{"latency.seconds": k * STEP}), 43)
    assert list(np.flatnonzero(rows[:, 2])) == list(range(k + 2, 43, 4))
    assert list(rows[rows[:, 2] == 1.0, 0]) == list(range(3, 43 - k + 1, 4))


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"batch": 2}, "batch is more than 1"), ({"loss": 0.9, "loss_run": 2.0}, "too large for loss_run")],
)
def test_what_cannot_be_together_is_refused(fmus, tmp_path, settings, words):
    instance = Native(fmus["network"], tmp_path / "a")
    for name, value in settings.items():
        instance.set(name, value)
    instance.enter()
    assert instance.call("ExitInitializationMode") == 3
    assert words in instance.messages[-1][2]
    instance.free()


def test_latency_settings_do_not_move_the_losses(make):
    one = carry(make("network", loss=0.2, sample_time=STEP), 300)
    other = carry(make("network", loss=0.2, sample_time=STEP, **{"latency.seconds": 5 * STEP}), 305)
    assert (one[:, 2] == other[4:304, 2]).all()


@pytest.mark.parametrize("reordering", [0, 1])
def test_values_overtake_only_where_they_may(make, reordering):
    settings = {"latency.mode": UNIFORM, "latency.jitter": 8 * STEP, "sample_time": STEP, "reordering": reordering}
    stamps, _ = latencies(carry(make("network", **settings), 3000), 3000)
    assert (np.diff(stamps) > 0).all() == (reordering == 0)


def test_seeds_decide_everything(make):
    settings = {"latency.mode": UNIFORM, "latency.jitter": 0.05, "loss": 0.3}
    runs = [carry(make("network", seed=seed, **settings), 200) for seed in (1, 1, 2)]
    assert (runs[0] == runs[1]).all()
    assert not (runs[0] == runs[2]).all()


def test_draws_are_those_of_the_published_generator(make):
    """The first losses worked out with the finaliser of splitmix64."""
    rows = carry(make("network", loss=0.4, seed=7, sample_time=STEP), 200)
    assert list(rows[:, 2]) == [float(uniform(7, n, 0) >= 0.4) for n in range(200)]


NAMES = {"latency": "latency.seconds", "jitter": "latency.jitter", "jitter_steps": "latency.jitter_steps"}
NAMES |= {"order": "latency.order", "offset": "clock.offset", "drift": "clock.drift"}


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "settings",
    [
        {"latency": 3 * STEP, "burst": 3},
        {"burst": 2, "loss": 0.5},
        {"latency": 2 * STEP, "jitter_steps": 2, "burst": 8, "loss": 0.1, "seed": 5},
        {"latency": 2.4 * STEP, "jitter": 6 * STEP, "reordering": False, "burst": 4, "offset": -7.5, "drift": -4e-4},
        {"latency": STEP, "jitter": 5 * STEP, "order": 3, "burst": 1, "loss": 0.3, "offset": 1e6, "drift": 1e-3},
        {"latency": 2 * STEP, "jitter_steps": 2, "batch": 5, "burst": 5, "seed": 3},
        {"jitter": 3 * STEP, "batch": 4, "loss": 0.12, "loss_run": 2.5, "burst": 8, "seed": 4},
    ],
    ids=lambda settings: "-".join(settings),
)
def test_all_outputs_are_those_of_a_network_written_down_a_second_time(make, settings):
    mode = {"latency.mode": ERLANG if "order" in settings else UNIFORM}
    instance = make("network", sample_time=STEP, **mode, **{NAMES.get(key, key): v for key, v in settings.items()})
    carrier = Carrier(STEP, **settings)
    for n in range(500):
        value, echo = math.sin(0.1 * n), n * STEP - 0.3
        assert instance.set("value", value) == instance.set("echo", echo) == 0
        assert instance.step(n * STEP, STEP) == 0
        expected = carrier.carry(value, echo)
        assert {name: instance.get(name) for name in expected} == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "settings",
    [
        {"latency.seconds": 3 * STEP},
        {"latency.mode": UNIFORM, "latency.jitter_steps": 4, "loss": 0.3, "seed": 3},
        {"latency.seconds": 2 * STEP, "clock.offset": -7.5, "clock.drift": -4e-4},
        {},
    ],
    ids=["constant", "random", "clock", "none"],
)
def test_what_an_end_of_a_bond_tells_goes_with_the_value(make, settings):
    """The message n says n in three ways; its time is told by the sender's clock, as the stamp is."""
    instance = make("network", sample_time=STEP, **settings)
    told = [instance.get(f"energy.far_{word}") for word in ("given", "passed", "time")]
    assert told == [0.0, 0.0, NEVER]
    for n in range(200):
        for name, value in (("value", n), ("energy.given", 2.0 * n), ("energy.passed", 3.0 * n)):
            assert instance.set(name, float(value)) == 0
        assert instance.set("energy.time", n * STEP) == 0
        assert instance.step(n * STEP, STEP) == 0
        if instance.get("valid"):
            value = instance.get("received")
            assert instance.get("energy.far_given") == 2.0 * value
            assert instance.get("energy.far_passed") == 3.0 * value
            assert instance.get("energy.far_time") == instance.get("stamp")


def test_a_time_that_is_none_stays_none(make):
    instance = make("network", sample_time=STEP, **{"clock.offset": 5.0})
    instance.step(0.0, STEP)
    assert instance.get("energy.far_time") == NEVER


def test_a_message_repeats_the_values_of_lost_ones(make):
    instance = make("network", sample_time=STEP, loss=0.4, burst=3)
    kept = set()
    for n in range(400):
        instance.set("value", float(n))
        instance.step(n * STEP, STEP)
        entries = ("", "[2]", "[3]")
        kept |= {instance.get(f"received{i}") for i in entries if instance.get(f"valid{i}")}
    assert 400 * 0.9 < len(kept) < 400, "only three losses in a row lose a value: 1 - 0.4 ** 3"


@pytest.mark.parametrize("late", [{"latency.seconds": 2 * STEP}, {"latency.mode": UNIFORM, "latency.jitter_steps": 9}])
def test_what_was_carried_along_comes_with_the_values_that_are_repeated(make, late):
    """Value n is sent at step n, with 1000 + n and 2000 + n as the first and the last number."""
    instance = make("network", sample_time=STEP, loss=0.3, burst=8, **late)
    brought = 0
    for n in range(400):
        for name, value in {"value": n, "carried": 1000 + n, "carried[11]": 2000 + n}.items():
            assert instance.set(name, float(value)) == 0
        assert instance.step(n * STEP, STEP) == 0
        for i in range(8):
            if instance.get(f"valid[{i + 1}]" if i else "valid"):
                sent = instance.get(f"received[{i + 1}]" if i else "received")
                first, last = (f"brought[{11 * i + 1}]" if i else "brought"), f"brought[{11 * i + 11}]"
                assert (instance.get(first), instance.get(last)) == (1000 + sent, 2000 + sent)
                brought += 1
    assert brought > 1000


def test_of_values_sent_long_ago_nothing_is_brought_along(make):
    """Of 300 messages under way at once, most of them lost, the oldest brings what it carried itself."""
    instance = make("network", sample_time=STEP, loss=0.5, burst=2, seed=3, **{"latency.seconds": 300 * STEP})
    seen = []
    for n in range(700):
        assert instance.set("value", float(n)) == instance.set("carried", 1000.0 + n) == 0
        assert instance.step(n * STEP, STEP) == 0
        if instance.get("valid[2]"):
            seen.append([instance.get(name) for name in ("received", "brought", "brought[12]")])
    assert len(seen) > 100
    assert all((carried, before) == (1000.0 + value, NEVER) for value, carried, before in seen)


def test_repeated_values_survive_saving(make):
    instance = make("network", sample_time=STEP, burst=8, **{"latency.seconds": 5 * STEP})
    carry(instance, 20)
    state = instance.save()
    expected = instance.run(5, STEP, "received[8]", "stamp[8]", "newest", start=20 * STEP)
    assert instance.restore(state) == 0
    assert instance.run(5, STEP, "received[8]", "stamp[8]", "newest", start=20 * STEP) == expected


def test_what_ends_of_a_bond_tell_survives_saving(make):
    names = [f"energy.far_{word}" for word in ("given", "passed", "time")]
    instance = make("network", sample_time=STEP, **{"latency.seconds": 5 * STEP})
    for n in range(20):
        for name in ("energy.given", "energy.passed", "energy.time"):
            instance.set(name, float(n))
        instance.step(n * STEP, STEP)
    state = instance.save()
    expected = instance.run(5, STEP, *names, start=20 * STEP)
    assert instance.restore(state) == 0
    assert instance.run(5, STEP, *names, start=20 * STEP) == expected


def test_a_flood_keeps_the_newest(make):
    instance = make("network", **{"latency.seconds": 400 * STEP, "sample_time": STEP})
    rows = carry(instance, 1000)
    stamps, steps = latencies(rows, 1000)
    assert len(instance.messages) == 1
    assert len(stamps) == 0 or (steps == 400).all()


def test_nan_is_carried_too(make):
    instance = make("network", **{"latency.seconds": STEP})
    instance.set("value", math.nan)
    instance.step(0.0, STEP)
    assert math.isnan(instance.get("received")) and instance.get("valid") == 1


@pytest.fixture
def replayed(tmp_path):
    def make(latencies, **settings):
        path = build_model_fmu("network", tmp_path / "fmu", macro_step=STEP, latencies=latencies, **settings)
        return Native(path, tmp_path / "unpacked").initialise(**{"latency.mode": REPLAY})

    return make


def test_measured_latencies_are_replayed_and_begin_again(replayed):
    stamps, steps = latencies(carry(replayed([0.03, 0.02, 0.02]), 60), 60)
    assert all(k == (3 if n % 3 == 0 else 2) for n, k in zip(np.rint(stamps / STEP), steps, strict=True))


def test_a_csv_of_latencies(replayed, tmp_path):
    file = tmp_path / "latencies.csv"
    file.write_text("n,latency_s\n0,0.05\n1,0.05\n\n2,0.05\n", encoding="utf-8")
    assert set(latencies(carry(replayed(file), 40), 40)[1]) == {5}


@pytest.mark.parametrize("text", ["", "latency\n", "latency\n0.1\nx\n", "0.1\n-0.2\n", "nan\n", "0.1\ninf\n"])
def test_wrong_latencies_are_refused_in_one_line(tmp_path, text):
    file = tmp_path / "latencies.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="latenc") as error:
        read_latencies(file)
    assert "\n" not in str(error.value)
    with pytest.raises(UsageError):
        read_latencies(tmp_path / "missing.csv")


def test_replay_without_latencies_is_refused(fmus, tmp_path):
    instance = Native(fmus["network"], tmp_path / "a")
    instance.set("latency.mode", REPLAY)
    instance.enter()
    assert instance.call("ExitInitializationMode") == 3
    assert "replay" in instance.messages[-1][2]
    instance.free()


WRONG = [
    ({"loss": 1.5}, "loss = 1.5, allowed 0.0 to 1.0"),
    ({"latency.mode": "fast"}, "latency.mode = fast"),
    ({"nix": 1}, "nix"),
    ({"received": 1.0}, "received"),
    ({"seed": 1.5}, "seed"),
    ({"loss": math.nan}, "loss"),
    ({"loss": "x"}, "loss"),
]


@pytest.mark.parametrize(("settings", "word"), WRONG)
def test_wrong_settings_are_refused_and_nothing_is_written(tmp_path, settings, word):
    with pytest.raises(UsageError) as error:
        build_model_fmu("network", tmp_path, **settings)
    assert word in str(error.value) and not list(tmp_path.iterdir())
