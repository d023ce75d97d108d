"""What the probe says to set is right: a line arrives as it is sent, by coupling FMUs in the same importer."""

from itertools import pairwise

import pytest

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu, build_model_fmu
from couplant.pack.probe import PARTNER, PROBE, WIRING, HostReport, build_probe
from tests.models.hosts import Host, Rare, ReadsAgain, Sequential, delayed
from tests.native import Native

STEP = 0.01
LATENCY_STEPS = 3
LEADS = ("host_lead.receiver", "host_lead.sender", "host_lead.feedthrough")
LINKS = [
    (("prototype", "y"), ("first", "y")),
    (("first", "y_hat"), ("prototype", "u")),
    (("prototype", "f"), ("second", "y")),
    (("second", "y_hat"), ("prototype", "w")),
]


class Prototype:
    """Sends the time, and at once what it is given; both as late as a network would let them arrive.

    Attributes
    ----------
    errors : list of (float, float)
        What its inputs `u` and `w` were ahead of the time at the start of each step [s].
    """

    def __init__(self, latency):
        self.latency, self.time, self.errors = latency, 0.0, []
        self.inputs = {"u": 0.0, "w": 0.0}

    def set(self, name, value):
        self.inputs[name] = value

    def get(self, name):
        return (self.time if name == "y" else self.inputs["u"]) - self.latency

    def step(self, t, h):
        self.errors.append((self.inputs["u"] - t, self.inputs["w"] - t))
        self.time = t + h


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fmus")
    built = dict(zip((PROBE, PARTNER), build_probe(folder), strict=True))
    for macro_step in (STEP, 4 * STEP):
        signal = {"algorithm": "foh", "latency": {"constant_steps": LATENCY_STEPS, "host_lead": 0.0}}
        section = {"interface": {"name": "bench", "macro_step": macro_step}, "signals": {"s": signal}}
        built[macro_step] = build_coupling_fmu(parse_interface(section, "test"), "s", folder / f"{macro_step}")
    return built


@pytest.fixture
def make(fmus, tmp_path):
    """Return a function that makes an initialised instance."""
    made = []

    def initialised(kind, **values):
        made.append(Native(fmus[kind], tmp_path / f"{len(made)}"))
        return made[-1].initialise(0.0, **values)

    yield initialised
    for instance in made:
        instance.free()


def probed(make, host, coupling_first, macro_step):
    """Return what the probe measures."""
    components = {PROBE: make(PROBE, macro_step=macro_step), PARTNER: make(PARTNER)}
    ordered = components if coupling_first else dict(reversed(components.items()))
    host(ordered, list(WIRING), h=STEP).run(40)
    probe = components[PROBE]
    assert probe.get("complete")
    return HostReport(*("read from the outputs", *(probe.get(name) for name in LEADS)))


def errors(make, host, coupling_first, macro_step, leads):
    """Return the largest errors of both inputs in macro steps once all has settled, at macro points."""
    prototype = Prototype(LATENCY_STEPS * macro_step)
    couplings = {
        name: make(macro_step, **{"latency.host_lead": lead})
        for name, lead in zip(("first", "second"), leads, strict=True)
    }
    parts = [("prototype", prototype), *couplings.items()]
    host(dict(parts[1:] + parts[:1] if coupling_first else parts), LINKS, h=STEP).run(160)
    settled = prototype.errors[80 :: round(macro_step / STEP)]
    return [max((e[i] for e in settled), key=abs) / macro_step for i in range(2)]


@pytest.mark.parametrize("coupling_first", [True, False])
@pytest.mark.parametrize(
    ("host", "macro_step"),
    [
        (Host, STEP),
        (Host, 4 * STEP),
        (Rare, 4 * STEP),
        (ReadsAgain, STEP),
        (Sequential, STEP),
        (delayed(Host), STEP),
        (delayed(ReadsAgain), STEP),
        (delayed(Sequential), STEP),
    ],
    ids=lambda value: getattr(value, "__name__", value) if isinstance(value, type) else f"{value:g} s",
)
def test_a_line_arrives_as_it_is_sent(make, host, macro_step, coupling_first):
    """Directly, and through an output with direct feedthrough, corrected once on its way."""
    report = probed(make, host, coupling_first, macro_step)
    case = (make, host, coupling_first, macro_step)
    assert errors(*case, (report.plain, 0.0))[0] == pytest.approx(0.0, abs=1e-9)
    assert errors(*case, (report.direct, report.plain))[1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("host", "missing"), [(Host, [0.0, -1.0]), (ReadsAgain, [0.0, 0.0]), (Sequential, [1.0, 1.0])])
def test_without_settings_it_comes_late_or_early(make, host, missing):
    """By one macro step, but where outputs are read again."""
    assert errors(make, host, True, STEP, (0.0, 0.0)) == pytest.approx(missing, abs=1e-9)


@pytest.mark.parametrize("coupling_first", [True, False])
@pytest.mark.parametrize(
    ("name", "host", "macro_step"),
    [
        ("jacobi", Host, STEP),
        ("jacobi", Host, 4 * STEP),
        ("reads_again", ReadsAgain, STEP),
        ("sequential", Sequential, STEP),
        ("sequential", Sequential, 4 * STEP),
    ],
)
def test_build_works_out_what_the_probe_measures(make, name, host, macro_step, coupling_first):
    """From the name of the host, the turns and the communication step."""
    report = probed(make, host, coupling_first, macro_step)
    turns = ["first.coupling", "second.coupling", "prototype"]
    section = {"name": "bench", "macro_step": macro_step, "micro_step": STEP, "host": name}
    section |= {"order": turns if coupling_first else turns[::-1]} if name == "sequential" else {}
    ends = {"first": ("prototype.y", "prototype.u"), "second": ("prototype.f", "prototype.w")}
    signals = {signal: {"from": source, "to": [target]} for signal, (source, target) in ends.items()}
    prototype = {"feedthrough": {"f": ["u"], "y": []}}
    found = parse_interface({"interface": section, "components": {"prototype": prototype}, "signals": signals}, "test")
    leads = [found.signals[signal].latency.host_lead for signal in ends]
    assert leads == pytest.approx([report.direct, report.plain], abs=1e-9)


PATHS = {"x1": ("mass_1", "mass_2"), "v1": ("mass_1", "mass_2"), "f": ("mass_2", "mass_1")}
"""Sender and receiver of each signal of example 01; f of mass 2 depends on x1 and v1 directly."""
MASSES = ("mass_1", "mass_2")
NETWORKS, COUPLINGS = ([f"{signal}_{kind}" for signal in PATHS] for kind in ("network", "coupling"))
MASS_STEP, FINE = 0.02, 10


@pytest.fixture
def loop(tmp_path):
    """Return a function that runs example 01 for 10 s in a host and returns x1 at the macro points [m]."""
    built = {n: build_model_fmu(n, tmp_path, macro_step=MASS_STEP) for n in MASSES}
    latency = {"latency.seconds": LATENCY_STEPS * MASS_STEP}
    built["network"] = build_model_fmu("network", tmp_path, macro_step=MASS_STEP, **latency)
    signal = {"algorithm": "eros3", "latency": {"constant_steps": LATENCY_STEPS, "host_lead": 0.0}}
    section = {"interface": {"name": "bench", "macro_step": MASS_STEP}, "signals": {"s": signal}}
    built["coupling"] = build_coupling_fmu(parse_interface(section, "test"), "s", tmp_path)
    made = []

    def instance(name, leads):
        kind = name if name in MASSES else name.partition("_")[2]
        made.append(Native(built[kind], tmp_path / f"loop{len(made)}"))
        values = {"latency.host_lead": leads[name.partition("_")[0]]} if kind == "coupling" else {}
        return made[-1].initialise(0.0, **values)

    def run(host, order, leads, h=MASS_STEP):
        components = {name: instance(name, leads) for name in order}
        tool, found = host(components, _connections(coupled=len(order) > 2), h=h), []
        for _ in range(500):
            found.append(components["mass_1"].get("x1"))
            tool.run(round(MASS_STEP / h))
        return found

    yield run
    for one in made:
        one.free()


def _connections(coupled):
    """Return the connections of example 01, those of plain outputs first."""
    found = []
    for signal, (sender, receiver) in PATHS.items():
        ways = [(sender, signal), (f"{signal}_network", "value"), (f"{signal}_network", "received")]
        ways += [(f"{signal}_coupling", "y"), (f"{signal}_coupling", "y_hat"), (receiver, signal)]
        found += zip(ways[::2], ways[1::2], strict=True) if coupled else [(ways[0], ways[-1])]
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize("corrected", ["x1 and v1", "f"])
@pytest.mark.parametrize(
    ("host", "order", "without"),
    [
        (Host, [*MASSES, *NETWORKS, *COUPLINGS], 5.0),
        (Sequential, [*MASSES, *NETWORKS, *COUPLINGS], 5.0),
        (Sequential, [*COUPLINGS, *MASSES, *NETWORKS], 5.0),
        (Sequential, [*COUPLINGS, *NETWORKS, *MASSES], 1.0),  # a step too early makes up for what the masses hold
    ],
)
def test_a_closed_loop_is_nearly_as_good_as_where_outputs_are_read_again(make, loop, host, order, without, corrected):
    """Every connection counts what the probe measures for its order, the feedthrough once, before or behind it."""
    first, last = (probed(make, host, coupling_first, 0.0) for coupling_first in (True, False))
    leads = {}
    for signal, (sender, receiver) in PATHS.items():
        way = [order.index(name) for name in (sender, f"{signal}_network", f"{signal}_coupling", receiver)]
        connections = [first.receiver if a < b else last.receiver for a, b in pairwise(way)]
        leads[signal] = sum(connections) + (first.feedthrough if signal in corrected else 0.0)
    exact = loop(ReadsAgain, MASSES, {}, h=MASS_STEP / FINE)
    none = dict.fromkeys(PATHS, 0.0)
    least, found, worst = (
        sum(abs(a - b) for a, b in zip(loop(*case), exact, strict=True))
        for case in ((ReadsAgain, order, none), (host, order, leads), (host, order, none))
    )
    assert found < 2.0 * least
    assert worst > without * least
