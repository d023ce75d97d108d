"""What a host adds to the latency of a signal: each path through a feedthrough output once, on one side."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from couplant.base.errors import UsageError
from couplant.config import advice, load_interface
from couplant.config.hosts import HOSTS, JACOBI, READS_AGAIN, SEQUENTIAL, Way, host_leads, left_late
from couplant.config.latency import proposal
from couplant.config.ref import Ref
from couplant.pack import build_model_fmu

X, V, F = Ref("b", "x"), Ref("b", "v"), Ref("b", "f")
THROUGH = {F: [X, V]}


def way(name, source, *targets, stamped=False):
    between = (f"{name}.network", f"{name}.coupling")
    return Way(Ref.parse(source), between, tuple(map(Ref.parse, targets)), stamped)


LOOP = {"x": way("x", "a.x", "b.x"), "v": way("v", "a.v", "b.v"), "f": way("f", "b.f", "a.f")}


def steps(*arguments, **more):
    return {name: lead.steps for name, lead in host_leads(*arguments, **more).items()}


def test_a_host_that_reads_again_adds_nothing():
    assert steps(READS_AGAIN, LOOP, THROUGH) == {"x": 0, "v": 0, "f": 0}


def test_the_inputs_that_a_feedthrough_output_depends_on_are_led():
    found = host_leads(JACOBI, LOOP, THROUGH)
    assert {name: lead.steps for name, lead in found.items()} == {"x": 1, "v": 1, "f": 0}
    assert found["x"].reasons == ("b.f depends on it at once",)
    assert steps(JACOBI, LOOP, {}) == {"x": 0, "v": 0, "f": 0}


def test_the_output_is_led_where_an_input_has_no_coupling():
    """v comes from a component beside, directly: nothing predicts it."""
    ways = {"x": LOOP["x"], "f": LOOP["f"]}
    found = host_leads(JACOBI, ways, THROUGH, {V: Ref("c", "v")})
    assert {name: lead.steps for name, lead in found.items()} == {"x": 0, "f": 1}
    assert "b.f depends at once on b.v, b.x" in found["f"].reasons[0]


def test_coupled_inputs_are_led_alone_where_nothing_is_behind_the_output():
    """f goes back directly, and so does v: x at least is made up for, and what is not is told."""
    ways, direct = {"x": LOOP["x"]}, {V: Ref("a", "v"), Ref("a", "f"): F}
    assert steps(JACOBI, ways, THROUGH, direct) == {"x": 1}
    assert left_late(JACOBI, ways, THROUGH, direct) == {F: {V}}
    assert left_late(READS_AGAIN, ways, THROUGH, direct) == {}
    assert left_late(JACOBI, {**ways, "v": LOOP["v"]}, THROUGH, {Ref("a", "f"): F}) == {}


@pytest.mark.parametrize(("order", "expected"), [("a b", {"x": 1, "f": 0}), ("b a", {"x": 0, "f": 1})])
def test_what_a_direct_connection_hands_over_from_a_turn_before_is_not_late(order, expected):
    ways, direct = {"x": LOOP["x"], "f": LOOP["f"]}, {V: Ref("a", "v")}
    assert steps(SEQUENTIAL, ways, THROUGH, direct, order=order.split()) == expected


def test_inputs_that_nothing_drives_do_not_count():
    assert steps(JACOBI, {"x": LOOP["x"], "f": LOOP["f"]}, THROUGH) == {"x": 1, "f": 0}


def test_a_signal_with_a_second_receiver_is_not_led():
    """What leads for b.f would lead in c too, which gives nothing back at once."""
    ways = {**LOOP, "x": way("x", "a.x", "b.x", "c.x")}
    assert steps(JACOBI, ways, THROUGH) == {"x": 0, "v": 0, "f": 1}


def test_one_file_of_two_says_what_it_assumes():
    found = host_leads(JACOBI, {"f": LOOP["f"]}, THROUGH, whole=False)["f"]
    assert found.steps == 0
    assert found.reasons == ("assumed: b.v, b.x, on which b.f depends at once, made up for there",)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("a b x.network x.coupling v.network v.coupling f.network f.coupling", (-2 + 1, -2 + 1, -2)),
        ("f.coupling f.network x.coupling x.network v.coupling v.network b a", (0, 0, -1)),
        ("x.coupling v.coupling f.coupling b a x.network v.network f.network", (-1, -1, -2)),
        ("", (1, 1, 0)),
    ],
)
def test_a_turn_before_makes_values_newer(order, expected):
    """By hand: one step off for sender before network, network before coupling FMU, coupling FMU before receiver."""
    assert tuple(steps(SEQUENTIAL, LOOP, THROUGH, order=order.split()).values()) == expected


def test_a_stamp_tells_by_itself_that_the_network_had_its_turn():
    order = ["a", "x.network", "x.coupling", "b"]
    late, stamped = ({"x": way("x", "a.x", "b.x", stamped=s)} for s in (False, True))
    assert steps(SEQUENTIAL, late, {}, order=order) == {"x": -3}
    assert steps(SEQUENTIAL, stamped, {}, order=order) == {"x": -2}


NAMES = st.sampled_from("abcd")


@st.composite
def systems(draw):
    """Return ways, feedthrough and direct connections of a random system in which every input has one source."""
    inputs = draw(st.lists(st.builds(Ref, NAMES, st.sampled_from("uvw")), unique=True, min_size=1, max_size=10))
    outputs = [Ref(name, y) for name in "abcd" for y in "xy"]
    ways, connections = {}, {}
    for i, target in enumerate(inputs):
        source = draw(st.sampled_from(outputs))
        if draw(st.booleans()):
            connections[target] = source
        elif ways and draw(st.integers(0, 4)) == 0:
            name = draw(st.sampled_from(sorted(ways)))
            ways[name] = ways[name]._replace(targets=(*ways[name].targets, target))
        else:
            ways[f"s{i}"] = Way(source, (f"s{i}.coupling",), (target,))
    feedthrough = {
        o: draw(st.lists(st.sampled_from([i for i in inputs if i.component == o.component]), unique=True))
        for o in outputs
        if any(i.component == o.component for i in inputs)
    }
    return ways, feedthrough, connections


@pytest.mark.landing("all paths through all hosts")
@settings(max_examples=500, deadline=None)
@given(systems())
def test_a_path_is_made_up_for_once_at_most_and_everywhere_where_it_can_be(system):
    """What each signal is led by for its targets and for its source, added up along every path."""
    ways, feedthrough, connections = system
    found = host_leads(JACOBI, ways, feedthrough, connections)
    driven = {t for w in ways.values() for t in w.targets} | set(connections)
    for output, inputs in feedthrough.items():
        for target in set(inputs) & driven:
            into = [n for n, w in ways.items() if target in w.targets]
            out = [n for n, w in ways.items() if w.source == output]
            before = [sum("depends on it at once" in r for r in found[n].reasons) for n in into]
            after = [sum("cannot be led alone" in r for r in found[n].reasons) for n in out]
            for there in after:
                assert sum(before) + there == 1
            if output in connections.values() or not out:
                assert sum(before) <= 1
    for name, lead in found.items():
        assert lead.steps == len(lead.reasons) <= 2, name


def written(folder, host, more="", signals=None):
    signals = signals or {"x": ("a.x1", "b.x1"), "v": ("a.v1", "b.v1"), "f": ("b.f", "a.f")}
    tables = "".join(f'[signals.{n}]\nfrom = "{s}"\nto = ["{t}"]\n' for n, (s, t) in signals.items())
    file = folder / "interface.toml"
    head = f'[interface]\nname = "loop"\nmacro_step = 0.02\n{host}\n'
    file.write_text(head + more + tables, encoding="utf-8")
    return file


def leads(file, *changes):
    interface = load_interface(file, changes)
    return {name: signal.latency.host_lead for name, signal in interface.signals.items()}


def test_a_settings_file_reads_the_feedthrough_from_the_fmus(tmp_path):
    fmu = build_model_fmu("mass_2", tmp_path)
    ends = f"[components.b]\nfmu = {json.dumps(fmu.name)}\n"
    file = written(tmp_path, 'host = "jacobi"', ends)
    assert leads(file) == {"x": 1.0, "v": 1.0, "f": 0.0}
    assert leads(file, "signals.x.latency.host_lead=0.5") == {"x": 0.5, "v": 1.0, "f": 0.0}
    assert leads(file, "interface.micro_step=0.005") == {"x": 0.25, "v": 0.25, "f": 0.0}
    assert leads(file, 'interface.host="reads_again"') == {"x": 0.0, "v": 0.0, "f": 0.0}
    assert leads(file, "components.b.feedthrough={f=[]}") == {"x": 0.0, "v": 0.0, "f": 0.0}
    with pytest.raises(UsageError, match=r"gone.fmu: not an FMU that can be read"):
        load_interface(file, ['components.b.fmu="gone.fmu"'])


def test_order_is_asked_for_where_it_counts(tmp_path):
    ends = "[components.b]\nfeedthrough = { f = ['x1', 'v1'] }\n[components.a]\n"
    file = written(tmp_path, 'host = "sequential"', ends)
    with pytest.raises(UsageError, match=r"signals.x: in a sequential host order counts") as found:
        load_interface(file)
    assert len(str(found.value).splitlines()) == 3
    order = 'interface.order=["a", "x.coupling", "v.coupling", "b", "f.coupling"]'
    assert leads(file, order) == {"x": -1.0, "v": -1.0, "f": -1.0}
    given = [f"signals.{name}.latency.host_lead=-2.0" for name in "xvf"]
    assert leads(file, *given) == {"x": -2.0, "v": -2.0, "f": -2.0}
    with pytest.raises(UsageError, match=r'interface.order has "c", allowed a, b, f.coupling'):
        load_interface(file, ['interface.order=["c"]', *given])
    with pytest.raises(UsageError, match=r'interface.order has "a" twice'):
        load_interface(file, ['interface.order=["a", "b", "a"]', *given])
    with pytest.raises(UsageError, match=r'interface.order has "y.network", allowed a, b'):
        load_interface(file, ['interface.order=["y.network"]', *given])


def test_an_order_may_have_components_that_only_signals_name_and_networks(tmp_path):
    """Two hops with the network in the same tool: sender before network, network before coupling FMU."""
    file = written(tmp_path, 'host = "sequential"', signals={"x": ("a.x1", "b.x1")})
    assert leads(file, 'interface.order=["a", "x.coupling", "b"]') == {"x": -2.0}
    turns = 'interface.order=["a", "x.network", "x.coupling", "b"]'
    assert leads(file, turns) == {"x": -3.0}
    for mode in ("stamps", "round_trip", "resequenced"):
        assert leads(file, turns, f'signals.x.latency.mode="{mode}"') == {"x": -2.0}


@pytest.mark.parametrize("macro_step", [0.0, 0.02])
def test_a_micro_step_divides_the_macro_step(tmp_path, macro_step):
    file = written(tmp_path, 'host = "jacobi"\nmicro_step = 0.007')
    with pytest.raises(UsageError, match=rf"micro_step = 0.007, allowed what divides macro_step = {macro_step}"):
        load_interface(file, [f"interface.macro_step={macro_step}"])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ('signals.f.from="b.ff"', "no output ff; allowed are: f, x2, v2"),
        ('signals.x.to=["b.x"]', "no input x; allowed are: x1, "),
        ("components.b.feedthrough={g=['x1']}", "no output g; allowed are: f"),
        ("components.b.feedthrough={f=['x']}", "no input x; allowed are: x1"),
    ],
)
def test_what_an_fmu_at_an_end_does_not_have_is_no_silent_absence_of_feedthrough(tmp_path, change, sentence):
    fmu = build_model_fmu("mass_2", tmp_path)
    file = written(tmp_path, 'host = "jacobi"', f"[components.b]\nfmu = {json.dumps(fmu.name)}\n")
    with pytest.raises(UsageError, match=sentence):
        load_interface(file, [change])


def test_a_path_that_the_file_makes_up_for_a_second_time_is_told(tmp_path):
    file = written(tmp_path, 'host = "jacobi"', '[components.b]\nfeedthrough = { f = ["x1", "v1"] }\n')
    behind = "signals.f.latency.host_lead=1.0"
    twice = "signals.f.latency.host_lead = 1: what b.f is late by is made up for by x, v already"
    assert any(line.startswith(twice) for line in advice(load_interface(file, [behind])))
    moved = [behind, *(f"signals.{name}.latency.host_lead=0.0" for name in "xv")]
    for changes in ([], moved, ['interface.host="reads_again"', behind]):
        assert not any("already" in line for line in advice(load_interface(file, changes)))


@pytest.mark.parametrize("host", [host for host in HOSTS if host != READS_AGAIN])
def test_event_timing_needs_a_host_that_reads_again(tmp_path, host):
    file = written(tmp_path, f'host = "{host}"\ntiming = "event"')
    with pytest.raises(UsageError, match=rf'interface.host = "{host}", allowed with timing = "step" only'):
        load_interface(file)


def test_weights_and_limits_count_what_the_host_adds(tmp_path):
    """With weights for other latencies an FMU would run FOH."""
    file = written(tmp_path, 'host = "jacobi"', '[components.b]\nfeedthrough = { f = ["x1", "v1"] }\n')
    weights = "signals.x.algorithm={{selected='linear', steps={}, a=[1.0], A=[0.0]}}"
    given = "signals.x.latency={{constant_steps={}}}"
    load_interface(file, [weights.format(4), given.format(3)])
    with pytest.raises(UsageError, match=r"signals.x.algorithm.steps = 3, allowed the latency of the signal, 4 macro"):
        load_interface(file, [weights.format(3), given.format(3)])
    with pytest.raises(UsageError, match=r"signals.x.latency.offset = .* longer than 64 macro steps"):
        load_interface(file, [given.format(64)])


def test_algorithms_that_are_never_worse_with_it_get_the_lead_for_the_hold(tmp_path):
    file = written(tmp_path, 'host = "jacobi"', '[components.b]\nfeedthrough = { f = ["x1", "v1"] }\n')
    auto = [f"signals.{name}.{text}" for name in "xvf" for text in ("algorithm='auto'", "latency.constant_steps=3")]
    interface = load_interface(file, auto)
    assert [signal.latency.hold_lead for signal in interface.signals.values()] == [0.25, 0.25, 0.0]
    assert [lead.hold for lead in interface.added.values()] == [0.25, 0.25, 0.0]
    for change in ("hold_lead=0.0", "host_lead=1.0"):
        signal = load_interface(file, [*auto, f"signals.x.latency.{change}"]).signals["x"]
        assert (signal.latency.host_lead, signal.latency.hold_lead) == (1.0, 0.0)


def test_what_is_proposed_and_what_is_warned_of(tmp_path):
    ends = '[components.b]\nfeedthrough = { f = ["x1", "v1"] }\n'
    file = written(tmp_path, 'host = "jacobi"', ends)

    def found(*changes):
        interface = load_interface(file, [f"signals.{name}.output.max=1.0" for name in "xvf"] + [*changes])
        signals = interface.signals.values()
        leads = [proposal(one.latency, one.algorithm.selected, interface.held) for one in signals]
        return leads, [line for line in advice(interface) if "stiffly" in line]

    def each(*settings):
        return [f"signals.{name}.{text}" for name in "xvf" for text in settings]

    assert found(*each("algorithm='eros3'", "latency.constant_steps=3")) == ([0.25, 0.25, 0.0], [])
    finer = found("interface.micro_step=0.005", *each("algorithm='eros3'", "latency.constant_steps=3"))
    assert finer[0] == [0.0625, 0.0625, 0.0]
    assert found(*each("algorithm='smb'", "latency.constant_steps=2")) == ([0.0, 0.0, 0.0], [])
    assert found(*each("algorithm='eros3'", "latency.constant_steps=3"), "signals.x.latency.hold_lead=0.0")[0][0] == 0.0
    assert found(*each("algorithm='eros3'", "latency.mode='stamps'")) == ([0.0, 0.0, 0.0], [])
    leads, warnings = found(*each("algorithm='eros3'", "latency.constant_steps=5"))
    assert leads == [0.0, 0.0, 0.0] and len(warnings) == 2
    assert warnings[0].startswith("signals.x: eros3 makes up for 6 macro steps with what the host adds; stiffly")
