"""Modules of the package as they are, in node and in Python: units, names and colours, errors, recommendations."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import dataclass

import pytest

from couplant.analysis.signal.periodic import Periodic
from couplant.base import style, units
from couplant.base.errors import UsageError
from couplant.base.filenames import name_of_signal
from couplant.base.grid import latency_in_steps
from couplant.design.recommendation import EVERY, recommend
from couplant_runtime.algorithms import BY_NAME
from tests.workbench.node import run
from tests.workbench.test_translator import plain, write

MODULES = (
    "couplant.design.recommendation",
    "couplant.base.units",
    "couplant.base.style",
    "couplant.base.grid",
    "couplant.base.errors",
    "couplant.base.filenames",
)
HEADS = """
import { py } from "./python/run.js";
import { recommend } from "./python/couplant.design.recommendation.js";
import { UsageError, why } from "./python/couplant.base.errors.js";
import { name_of_signal } from "./python/couplant.base.filenames.js";
import { latency_in_steps } from "./python/couplant.base.grid.js";
import { colour, label, looks, number, palette, plain as dashed, radius } from "./python/couplant.base.style.js";
import { check_scale, doubt, known_symbol, scale, unit_of } from "./python/couplant.base.units.js";
"""
WORDS = [
    "", "N.m", "Nm", "N·m", "km/h", "kmh", "m/s2", "N/(m/s)", "degC", "°C", "U/min", "rpm", "1/s", "%", "µm", "Ohm",
    "Ω",
    "kN", "mNm", "bogus", "s", "ms", "[s]", "(kg)", "1", "-", "rad/s", "°/s", "m^2", "m²", "kg.m2/s3", "hPa", "GW",
    "()", "N//m",
]  # fmt: skip
VALUES = [
    None, 0.0, -0.0, 1.0, 0.00644, 1.2024, 3.2e7, -3.2e7, 99999.4, 99999.5, 1e-4, 9.9e-5, 1e300, 5e-324, 12345.6, 0.5,
    1.5,
    0.999999999, 1.0000001, 100.0, -7.25,
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write(tmp_path_factory.mktemp("page"), MODULES)


@dataclass(frozen=True)
class Row:
    """What `OpenLoop` says of an algorithm."""

    algorithm: str
    rms: float
    mae: float
    worst: float


@dataclass(frozen=True)
class Band:
    """What `Bands` says."""

    useful: float
    disturbances: tuple[tuple[float, float], ...]


def test_units(folder):
    found = run(
        HEADS
        + """
        const told = (unit) => unit === null ? null : [unit.exponents, unit.factor, unit.offset];
        const refused = (one, other) => {
          try { check_scale("a", one, "b", other); } catch (error) { return [error.message, error.exit_code]; }
          return "";
        };
        answer(given.map((one) => [known_symbol(one), doubt(one), told(unit_of(one)),
          given.map((other) => [scale(one, other), refused(one, other)].map((x) => Number.isNaN(x) ? "nan" : x))]));
        """,
        WORDS, folder=folder,
    )  # fmt: skip

    def refused(one, other):
        try:
            units.check_scale("a", one, "b", other)
        except UsageError as error:
            return [str(error), error.exit_code]
        return ""

    def told(unit):
        return None if unit is None else [unit.exponents, unit.factor, unit.offset]

    def factor(one, other):
        found = units.scale(one, other)
        return "nan" if found is not None and found != found else found

    expected = [
        [units.known_symbol(a), units.doubt(a), told(units.unit_of(a)), [[factor(a, b), refused(a, b)] for b in WORDS]]
        for a in WORDS
    ]
    assert found == json.loads(json.dumps(expected))


def test_signals_are_called_as_by_init(folder):
    """Their names draw the losses of their networks."""
    columns = ["torque [N.m]", "torque / N", "n/rpm", "M (Nm) ", "[Nm]", "_x_", "3 phases", "Öl °C", "con", 60 * "y"]
    pairs = [[column, unit] for column in columns for unit in ("", "N.m", "Nm", "rpm")]
    found = run(HEADS + "answer(given.map((pair) => name_of_signal(...pair)));", pairs, folder=folder)
    assert found == [name_of_signal(*pair) for pair in pairs]
    assert {"torque", "torque___N", "n", "n_rpm", "signal", "con_signal", "y" * 40} <= set(found)


def test_how_things_look(folder):
    names = [*BY_NAME, "direct_ecco", "own weights", "smb (0-5)", "none", "zoh a", "zoh b", "foh"]
    found = run(
        HEADS
        + """
        const look = (one) => [one.colour, one.dash];
        answer([
          given.values.map((x) => [number(x), number(x, 3, true), dashed(x), radius(x), radius(x, 3)]),
          given.names.map((name) => [label(name), colour(name)]),
          Array.from(looks(given.names, ["smb"]), ([name, one]) => [name, look(one)]),
          py.toJson(palette()), given.latencies.map((x) => latency_in_steps(x)),
        ]);
        """,
        {"values": VALUES, "names": names, "latencies": [0.0, 0.5, 1.0, 1.0000005, 1.00001, 7.3]}, folder=folder,
    )  # fmt: skip
    expected = [
        [[style.number(x), style.number(x, 3, True), style.plain(x), style.radius(x), style.radius(x,
        3)] for x in VALUES],
        [[style.label(name), style.colour(name)] for name in names],
        [[name, [one.colour, one.dash]] for name, one in style.looks(names, ["smb"]).items()],
        style.palette(), [latency_in_steps(x) for x in (0.0, 0.5, 1.0, 1.0000005, 1.00001, 7.3)],
    ]  # fmt: skip
    assert found == json.loads(json.dumps(expected))


def cases():
    """Return seeded judgements: errors of all candidates from nothing to far more than the wire's, in scenes too."""
    rng = random.Random(18)
    names = ["wire", *EVERY, "designed", "auto_designed", "learnt", "auto_learnt", "model", "phasor"]
    for n, (noisy, constant) in itertools.product(range(60), itertools.product([False, True], repeat=2)):
        chosen = ["wire", *rng.sample([name for name in names if name != "wire"], rng.randint(0, len(names) - 1))]
        chosen += [name for name in EVERY if name not in chosen]
        size = rng.choice([0.0, 1.0, 1e-3, 250.0])
        rows = {
            name: [name, *(size * rng.choice([0.005, 0.3, 0.5, 0.93, 0.96, 1.4, rng.random()]) for _ in range(3))]
            for name in chosen
        }
        rows["wire"] = ["wire", *(size * rng.choice([1.0, 1.0, rng.random()]) for _ in range(3))]
        scenes = [
            {name: [name, *(x * rng.choice([0.8, 1.0, 1.1]) for x in row)] for name, *row in rows.values()}
            for _ in range(rng.choice([0, 2]))
        ]
        bands = [[rng.random() * 10**n, 1e3 * rng.random()] for n in range(rng.choice([0, 0, 1, 3]))]
        validated, band = rng.choice([0.3, 0.995, 1.0, 1.2, float(n)]), [rng.random() * 300, bands]
        wave = {"frequency": 50.4, "nominal": 50.0 / (1 + n % 3), "harmonics": 1, "share": 1.0}
        yield [rows, scenes, validated, n % 7, band, noisy, constant, wave if "phasor" in rows else None]


def test_what_is_recommended(folder):
    given = list(cases())
    found = run(
        HEADS
        + """
        answer(given.map(([rows, scenes, validated, k, [useful, disturbances], noisy, constant, wave]) => {
          const row = ([algorithm, rms, mae, worst]) => ({ algorithm, rms, mae, worst });
          const named = (some) => new py.Dict(Object.entries(some).map(([name, one]) => [name, row(one)]));
          const bands = { useful, disturbances };
          const found = recommend(named(rows), scenes.map(named), validated, k, bands, noisy, constant, wave);
          return [found.name, found.reason, found.validated, found.warnings];
        }));
        """,
        given, folder=folder,
    )  # fmt: skip
    expected = []
    for rows, scenes, validated, k, (useful, disturbances), noisy, constant, wave in given:
        named, *others = ({name: Row(*row) for name, row in some.items()} for some in (rows, *scenes))
        band, told = Band(useful, tuple(map(tuple, disturbances))), wave and Periodic(**wave)
        one = recommend(named, others, validated, k, band, noisy, constant, told)
        expected.append(plain([one.name, one.reason, one.validated, one.warnings]))
    assert len({one[1] for one in expected}) > 40 and len({one[0] for one in expected}) == 6
    assert any("within ten percent of 16.6667 Hz" in one[1] for one in expected)
    assert found == expected


def test_errors(folder):
    found = run(
        HEADS
        + """
        const one = new UsageError("wrong");
        answer([one.message, one.exit_code, one.name, py.caught(one, py.ValueError), py.caught(one, py.KeyError),
          why(new py.OSError(2, "No such file"))]);
        """,
        folder=folder,
    )  # fmt: skip
    assert found == ["wrong", 2, "UsageError", True, False, "no such file"]
