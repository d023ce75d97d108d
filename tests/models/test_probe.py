"""The probe in little importers that do one thing each: it tells them apart, and what it says to set is right."""

import pytest
from fmpy.validation import validate_fmu

from couplant.cli import main
from couplant.pack.models import build_model_fmu
from couplant.pack.probe import PARTNER, PROBE, WIRING, HostReport
from tests.models.hosts import HOSTS, Extrapolates, Host, Rare, ReadsAgain, Sequential, Skips, delayed
from tests.native import Native

STEP = 0.01
START = 5.0
STEPS = 20
LEADS = ("host_lead.receiver", "host_lead.sender", "host_lead.feedthrough")
COUPLING_FIRST, PROTOTYPE_FIRST = (PROBE, PARTNER), (PARTNER, PROBE)


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("probe")
    return {(name, fmi): build_model_fmu(name, folder / fmi, fmi=fmi) for name in (PROBE, PARTNER) for fmi in "23"}


@pytest.fixture
def instances(fmus, tmp_path):
    """Return a function that makes instances of the probe and its partner, in an order, at a start time [s]."""
    made = []

    def make(order=COUPLING_FIRST, fmi="2", start=START, **values):
        found = {name: Native(fmus[name, fmi], tmp_path / f"{len(made)}{name}", logging=True) for name in order}
        for name, instance in found.items():
            instance.initialise(start, **(values if name == PROBE else {}))
        made.extend(found.values())
        return found

    yield make
    for instance in made:
        instance.free()


def item(instance, name):
    """Return the name of the item that an enumeration has."""
    items = instance.variables[name].declaredType.items
    return {int(item.value): item.name for item in items}[instance.get(name)]


def words(instance):
    """Return what was logged, without times."""
    return [text.split(" s: ")[1] for _, _, text in instance.messages]


@pytest.fixture
def measured(instances):
    """Return a function that runs probe and partner in a host and returns the probe."""

    def measure(host, order=COUPLING_FIRST, links=WIRING, fmi="2", steps=STEPS, h=STEP, **values):
        components = instances(order, fmi, **values)
        host(components, list(links), h=h, start=START).run(steps)
        return components[PROBE]

    return measure


@pytest.mark.parametrize("fmi", ["2", "3"])
@pytest.mark.parametrize("h", [STEP, 1.0 / 3.0])
@pytest.mark.parametrize(
    ("host", "order", "leads", "first"),
    [
        ("jacobi", COUPLING_FIRST, (0, 0, 1), "together"),
        ("jacobi", PROTOTYPE_FIRST, (0, 0, 1), "together"),
        ("reads_again", COUPLING_FIRST, (0, 0, 0), "together"),
        ("reads_again", PROTOTYPE_FIRST, (0, 0, 0), "together"),
        ("sequential", COUPLING_FIRST, (-1, 0, 1), "probe_first"),
        ("sequential", PROTOTYPE_FIRST, (0, -1, 1), "partner_first"),
    ],
)
def test_hosts_are_told_apart(measured, host, order, leads, first, h, fmi):
    probe = measured(HOSTS[host], order, fmi=fmi, h=h)
    assert (item(probe, "host"), item(probe, "order"), item(probe, "result")) == (host, first, "complete")
    assert tuple(probe.get(name) for name in LEADS) == leads
    assert probe.get("complete") and probe.get("measured") and not probe.get("changed")
    assert probe.get("exchange.steps") == 1
    assert probe.get("step.size") == probe.get("step.min") == probe.get("step.max") == h
    assert probe.get("delay.steps") == leads[1]
    (text,) = words(probe)
    assert text.endswith(f'[interface] host = "{host}"')


@pytest.mark.parametrize(
    ("host", "order", "name", "leads"),
    [
        (delayed(Host), COUPLING_FIRST, "jacobi", (1, 1, 1)),
        (delayed(ReadsAgain), COUPLING_FIRST, "reads_again", (1, 1, 0)),
        (delayed(ReadsAgain, {(PARTNER, "in")}), COUPLING_FIRST, "reads_again", (1, 0, 0)),
        (delayed(Host, {(PARTNER, "in")}), COUPLING_FIRST, "jacobi", (1, 0, 1)),
        (delayed(Sequential, {(PARTNER, "in")}), COUPLING_FIRST, "jacobi", (0, 0, 1)),
        (delayed(Sequential), PROTOTYPE_FIRST, "jacobi", (1, 0, 1)),
    ],
)
def test_a_unit_delay_in_a_connection_is_one_step_more(measured, host, order, name, leads):
    probe = measured(host, order)
    assert (item(probe, "host"), tuple(probe.get(lead) for lead in LEADS)) == (name, leads)
    adds = any("connections add steps of their own" in text for text in words(probe))
    assert adds == (leads != (0, 0, 1))


def test_values_that_are_not_what_was_sent_are_no_delay(measured):
    probe = measured(Extrapolates)
    assert (item(probe, "host"), item(probe, "result")) == ("unknown", "changed")
    assert probe.get("changed") and not probe.get("complete")
    assert "interpolated or extrapolated" in words(probe)[-1]


@pytest.mark.parametrize("base", [Host, ReadsAgain])
def test_only_one_input_is_extrapolated(measured, base):
    """As in a tool that compensates continuous inputs: the partner tells, whose input it is."""

    class Partly(base):
        def carried(self, link):
            value = super().carried(link)
            before, self.before = getattr(self, "before", value), value
            return value + 0.5 * (value - before) if link[1] == (PARTNER, "in") else value

    assert item(measured(Partly), "result") == "changed"


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_no_polynomial_continues_what_is_sent(measured, degree):
    """Extrapolated by a whole step, time itself would look like a component that steps first."""
    weights = {1: (2, -1), 2: (3, -3, 1), 3: (4, -6, 4, -1)}[degree]

    class Continues(Host):
        def carried(self, link):
            past = self.__dict__.setdefault("past", {}).setdefault(link, [])
            past.insert(0, super().carried(link))
            return sum(w * y for w, y in zip(weights, past, strict=False)) if len(past) > degree else past[0]

    assert item(measured(Continues), "result") == "changed"


def test_values_that_are_exchanged_rarely(measured):
    """The period of the exchange is the macro step: a feedthrough costs one of it, four communication steps."""
    probe = measured(Rare, steps=40)
    assert (item(probe, "host"), probe.get("exchange.steps")) == ("jacobi", 4)
    assert tuple(probe.get(name) for name in LEADS) == (0, 0, 1)


def test_host_leads_count_in_macro_steps(measured):
    probe = measured(Host, macro_step=4 * STEP)
    assert tuple(probe.get(name) for name in LEADS) == (0, 0, 0.25)
    assert words(probe) == ['outputs with direct feedthrough come one step older: [interface] host = "jacobi"']


def test_an_exchange_that_is_left_out_now_and_then(measured):
    probe = measured(Skips, steps=40)
    assert (item(probe, "host"), item(probe, "result")) == ("unknown", "varying")
    assert "delays vary" in words(probe)[-1]


@pytest.mark.parametrize("slow", [PROBE, PARTNER])
@pytest.mark.parametrize("steps", [STEPS, 200])
def test_communication_steps_of_two_lengths(instances, slow, steps):
    """The numbers of steps run apart, in the end by more than any delay."""
    components = instances()

    class Every2nd:
        def __init__(self, fmu):
            self.fmu, self.get, self.set, self.n = fmu, fmu.get, fmu.set, 0

        def step(self, t, h):
            if self.n % 2 == 0:
                assert self.fmu.step(t, 2 * h) == 0
            self.n += 1

    Host({**components, slow: Every2nd(components[slow])}, list(WIRING), start=START).run(steps)
    assert item(components[PROBE], "result") == "varying"


def test_a_delay_that_grows(measured):
    class Grows(Host):
        def carried(self, link):
            past = self.__dict__.setdefault("past", {}).setdefault(link, [])
            past.append(super().carried(link))
            return past[-1 if self.n < 10 else -2]

    probe = measured(Grows)
    assert (item(probe, "host"), item(probe, "result")) == ("unknown", "varying")
    assert (probe.get("delay.min"), probe.get("delay.max")) == (0.0, pytest.approx(STEP))


@pytest.mark.parametrize(
    ("links", "result", "is_measured"),
    [
        ((), "disconnected", False),
        (WIRING[:1], "disconnected", False),
        (WIRING[1:], "no_signal", True),
        (WIRING[:2], "no_feedthrough", True),
        ((((PROBE, "signal"), (PROBE, "back")),), "alone", True),
    ],
)
def test_the_reason_why_there_is_no_result(measured, links, result, is_measured):
    probe = measured(Host, links=links)
    assert (item(probe, "host"), item(probe, "result")) == ("unknown", result)
    assert (bool(probe.get("measured")), bool(probe.get("complete"))) == (is_measured, False)
    assert len(words(probe)) == 1


def test_nothing_is_concluded_from_the_first_steps(measured):
    probe = measured(Host, steps=7)
    assert (item(probe, "result"), probe.messages) == ("running", [])


def test_odd_values_at_the_start_do_not_count(measured):
    """Delays that start with a value of their own, and hosts that exchange nothing before the first step."""

    class Odd(delayed(Host)):
        def carried(self, link):
            return -17.3 if self.n < 2 else super().carried(link)

    assert item(measured(Odd), "host") == "jacobi"


def test_a_saved_state_goes_on_as_before(measured, instances):
    components = instances()
    host = Host(components, list(WIRING), start=START).run(6)
    kept = {name: instance.save() for name, instance in components.items()}
    values = dict(host.values)
    Extrapolates(components, list(WIRING), start=host.t).run(12)
    for name, state in kept.items():
        assert components[name].restore(state) == 0
    host.values = values
    host.run(STEPS - 6)
    assert item(components[PROBE], "host") == "jacobi"


@pytest.mark.parametrize("lag", [0, 1, 3, 12])
def test_alone_it_measures_the_delay_of_one_connection(instances, lag):
    probe = _fed_back(instances, [lag] * 20)
    assert probe.get("delay.steps") == lag
    assert probe.get("delay.seconds") == pytest.approx(lag * STEP, abs=1e-12)
    assert probe.get("delay.max") == pytest.approx(probe.get("delay.min"), abs=1e-12)


def test_it_tells_a_delay_that_changes(instances):
    probe = _fed_back(instances, [1] * 10 + [2] * 10)
    assert probe.get("delay.min") == pytest.approx(STEP, abs=1e-12)
    assert probe.get("delay.max") == pytest.approx(2 * STEP, abs=1e-12)


def test_seconds_are_those_of_steps_that_differ(instances):
    """Two steps ago is what they took."""
    probe = _fed_back(instances, [2] * 12, sizes=[STEP, 2 * STEP] * 6)
    assert probe.get("delay.steps") == 2
    assert probe.get("delay.seconds") == pytest.approx(3 * STEP, abs=1e-12)
    assert (probe.get("step.min"), probe.get("step.max")) == (STEP, 2 * STEP)


def _fed_back(instances, lags, sizes=None):
    """Return the probe after steps, its output handed back `lags[n]` steps later."""
    probe, given, t = instances((PROBE,))[PROBE], [], START
    for n, (lag, size) in enumerate(zip(lags, sizes or [STEP] * len(lags), strict=True)):
        given.append(probe.get("signal"))
        probe.set("back", given[n - lag] if n >= lag else -1e9)
        assert probe.step(t, size) == 0
        t += size
    return probe


def test_leads_add_up():
    report = HostReport("sequential", -1.0, 0.0, 1.0)
    assert (report.plain, report.direct) == (-1.0, 0.0)


@pytest.mark.parametrize("name", [PROBE, PARTNER])
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_fmpy_finds_nothing_wrong(fmus, name, fmi):
    assert validate_fmu(str(fmus[name, fmi])) == []


@pytest.mark.parametrize("wrong", [["--macro-step", "0"], ["--fmi", "1"], ["--macro-step", "x"]])
def test_wrong_use(wrong, tmp_path, capsys):
    assert main(["probe", "-o", str(tmp_path), *wrong]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.iterdir())
