"""What users ask for, and what the importer adds to it."""

import json

import pytest

from couplant.base.errors import UsageError
from couplant.elsewhere.ssp import Request, insert, listing
from tests.elsewhere.ssp import systems
from tests.elsewhere.ssp.systems import NAMES, STEP, Way, component, description

X1, V1, F = NAMES


def parts(path, *signals, **more):
    """Return network, host and hold part of each signal."""
    done = insert(path, None, Request(**{"signals": signals, "macro_step": STEP, **more}))
    return {one.target: (one.network, one.host, one.hold) for one in done.placed}, done


def test_a_path_is_made_up_for_once(flat):
    assert parts(flat, *NAMES, host="jacobi", steps=3)[0] == {
        "mass_2.x1": (3, 1.0, 0.25),
        "mass_2.v1": (3, 1.0, 0.25),
        "mass_1.f": (3, 0.0, 0.0),
    }
    assert parts(flat, X1, F, host="jacobi")[0] == {"mass_2.x1": (0, 0.0, 0.0), "mass_1.f": (0, 1.0, 0.25)}
    found, done = parts(flat, X1, host="jacobi")
    assert found == {"mass_2.x1": (0, 1.0, 0.25)}
    assert any(line.startswith("mass_2.f goes on directly a step late") for line in done.warnings)
    assert parts(flat, *NAMES)[0] == dict.fromkeys(("mass_2.x1", "mass_2.v1", "mass_1.f"), (0, 0.0, 0.0))


def test_a_receiver_after_its_sender_gets_one_step_less(flat):
    order = "mass_1 mass_2_x1_coupling mass_2_v1_coupling mass_2 mass_1_f_coupling"
    found, done = parts(flat, *NAMES, host="sequential", order=order.split())
    assert [row[1] for row in found.values()] == [-1.0, -1.0, -1.0]
    assert "mass_1 has its turn before mass_2_x1_coupling" in done.placed[0].reasons
    ends = parts(flat, *NAMES, host="sequential", order=["mass_1", "mass_2"])[0]  # coupling FMUs step last
    assert [row[1] for row in ends.values()] == [0.0, 0.0, -1.0]


def test_a_network_passes_on_what_is_before_it(tmp_path, masses, networks):
    path = systems.archive(tmp_path / "net.ssp", systems.networked(), masses["2"] | networks["2"])
    whole, done = parts(path, *NAMES, host="jacobi", steps=3)
    assert [row[1] for row in whole.values()] == [1.0, 1.0, 0.0]
    near = [f"net_{name}.received->{target}.{name}" for name, (_, target) in systems.SIGNALS.items()]
    assert parts(path, *near, host="jacobi", steps=3)[0] == whole
    assert [one.source for one in done.placed] == ["mass_1.x1", "mass_1.v1", "mass_2.f"]
    with pytest.raises(UsageError, match=r"mass_2.f->mass_2.x1: no such connection; mass_2.x1 gets net_x1.received"):
        parts(path, "mass_2.f->mass_2.x1")


def test_what_is_not_known_of_a_component_is_taken_for_feedthrough_and_told(tmp_path, masses):
    files = {"resources/mass_1.fmu": masses["2"]["resources/mass_1.fmu"]}
    path = systems.archive(tmp_path / "lost.ssp", systems.flat(), files)
    found, done = parts(path, *NAMES, host="jacobi")
    assert found["mass_2.x1"][1] == 1.0
    assert any(line.startswith("resources/mass_2.fmu: it is not in the archive") for line in done.warnings)
    path = systems.archive(tmp_path / "lost.ssp", systems.flat(), files | {"resources/mass_2.fmu": b"no FMU"})
    assert any("resources/mass_2.fmu: not an FMU: it is not a zip" in line for line in parts(path, X1)[1].warnings)


def test_connectors_that_are_not_listed_are_those_of_the_fmu(tmp_path, masses):
    text = systems.flat().replace(systems.connectors(["x1", "v1"], ["f"]), "")
    path = systems.archive(tmp_path / "bare.ssp", text, masses["2"])
    rows = listing(path).rows
    assert [(row.source, row.target, row.type, row.unit) for row in rows] == [
        ("mass_1.x1", "mass_2.x1", "Real", "m"),
        ("mass_1.v1", "mass_2.v1", "Real", "m/s"),
        ("mass_2.f", "mass_1.f", "Real", "N"),
    ]
    assert parts(path, X1)[0]


def test_settings_come_from_a_file_with_from_and_to(tmp_path, flat):
    file = tmp_path / "interface.toml"
    file.write_text(
        '[interface]\nname = "bench"\nmacro_step = 0.01\nhost = "jacobi"\nmicro_step = 0.005\n'
        '[signals.place]\nfrom = "mass_1.x1"\nto = ["mass_2.x1"]\nalgorithm = "eros3"\n'
        '[signals.speed]\nfrom = "mass_1.v1"\nto = ["mass_2.v1"]\nlatency = { constant_steps = 4, host_lead = 0.0 }\n',
        encoding="utf-8",
    )
    done = insert(flat, tmp_path / "out.ssp", Request(settings=file))
    assert [(one.component, one.file, one.algorithm) for one in done.placed] == [
        ("place_coupling", "resources/bench_place.fmu", "eros3"),
        ("speed_coupling", "resources/bench_speed.fmu", "foh"),
    ]
    assert [(one.network, one.host) for one in done.placed] == [(0, 0.5), (4, 0.0)]
    assert (done.macro_step, done.host) == (0.01, "jacobi")
    again = insert(flat, None, Request(settings=file, host="reads_again", macro_step=0.02, steps=5))
    assert [(one.network, one.host) for one in again.placed] == [(5, 0.0), (5, 0.0)]
    assert (again.macro_step, again.host) == (0.02, "reads_again")


def test_settings_name_ends_that_settings_do_not_allow_elsewhere(tmp_path, masses):
    text = systems.flat().replace('"mass_1"', '"my mass"').replace('"x1"', '"x[1, 2]"')
    path = systems.archive(tmp_path / "odd.ssp", text, masses["2"])
    wanted = {"from": "my mass.x[1, 2]", "to": ["mass_2.x[1, 2]"]}
    given = {"interface": {"name": "a", "macro_step": STEP}, "signals": {"x": wanted}}
    assert [one.source for one in insert(path, None, Request(settings=given)).placed] == ["my mass.x[1, 2]"]
    with pytest.raises(UsageError, match=r"signals.x.from = 3, allowed"):
        insert(path, None, Request(settings={**given, "signals": {"x": {**wanted, "from": 3}}}))


def settings(more="", signal=""):
    own = f'[interface]\nname = "a"\nmacro_step = 0.02\n{more}'
    return f'{own}[signals.x]\nfrom = "mass_1.x1"\nto = ["mass_2.x1"]\n{signal}'


WRONG = {
    "nothing named": ({}, "is missing, allowed one of them"),
    "both": ({"signals": [X1], "settings": settings()}, "is missing, allowed one of them"),
    "no arrow": ({"signals": ["mass_1.x1"]}, 'signals: "mass_1.x1", allowed a.x->b.u'),
    "no such input": ({"signals": ["a.x->b.u"]}, "a.x->b.u: b.u gets no signal; allowed are mass_1.x1->mass_2.x1, "),
    "another output": ({"signals": ["mass_1.v1->mass_2.x1"]}, "no such connection; mass_2.x1 gets mass_1.x1"),
    "named twice": ({"signals": [X1, X1]}, "mass_1.x1->mass_2.x1 is named twice"),
    "no step": ({"signals": [X1], "macro_step": None}, "macro_step is missing: an SSD has no step size"),
    "a negative step": ({"signals": [X1], "macro_step": -1.0}, "macro_step = -1.0, allowed a finite number of at "),
    "steps": ({"signals": [X1], "steps": 65}, "latency.constant_steps = 65, allowed 0 to 64"),
    "a host": ({"signals": [X1], "host": "gauss"}, "host = gauss, allowed reads_again, jacobi, sequential"),
    "a host of the settings": (
        {"settings": settings('host = "simulink"\n')},
        'interface.host = "simulink", allowed "reads_again", "jacobi" or "sequential"',
    ),
    "no text": ({"settings": settings("host = 3\n")}, "interface.host = 3, allowed"),
    "an order that is none": ({"settings": settings('order = "abc"\n')}, 'interface.order = "abc", allowed'),
    "an order without names": ({"settings": settings("order = [3]\n")}, "interface.order[1] = 3, allowed a text"),
    "no order": ({"signals": [X1], "host": "sequential"}, "order is missing: host = sequential needs the components"),
    "a stranger in the order": (
        {"signals": [X1], "host": "sequential", "order": ["mass_1", "b"]},
        'order has "b", allowed mass_1, mass_2, mass_2_x1_coupling',
    ),
    "a name twice in the order": (
        {"signals": [X1], "host": "sequential", "order": ["mass_1", "mass_2", "mass_1"]},
        'order has "mass_1" twice',
    ),
    "a name that the order lacks": (
        {"signals": [X1], "host": "sequential", "order": ["mass_1"]},
        "order lacks mass_2, at which coupling FMUs are inserted",
    ),
    "a setting": ({"settings": settings(signal="algoritm = 'foh'\n")}, "signals.x.algoritm is unknown: did you mean"),
    "event timing": (
        {"settings": settings('timing = "event"\n'), "host": "jacobi"},
        'interface.host = "jacobi", allowed with timing = "step" only',
    ),
    "stamps": ({"settings": settings(signal='latency.mode = "stamps"\n')}, "its settings need y_time besides y"),
    "no ends": ({"settings": settings() + "[signals.y]\n"}, "signals.y: from and to are missing"),
    "bonds": (
        {"settings": settings() + '[bonds.b]\neffort = "x"\nflow = "x"\n'},
        "bonds cannot be inserted: a power bond connects more than one value",
    ),
    "too late": ({"signals": [X1, V1, F], "host": "jacobi", "steps": 64}, "longer than 64 macro steps"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_and_nothing_is_written(tmp_path, flat, name):
    given, sentence = WRONG[name]
    given = {"macro_step": STEP, **given}
    if "settings" in given:
        file = tmp_path / "interface.toml"
        file.write_text(given["settings"], encoding="utf-8")
        given = {**given, "settings": file}
    with pytest.raises(UsageError) as found:
        insert(flat, tmp_path / "out.ssp", Request(**given))
    assert sentence in str(found.value)
    assert not (tmp_path / "out.ssp").exists()


def test_signals_that_are_no_real_numbers_or_arrays_are_told(tmp_path, masses):
    whole = component("whole", [], ["n"]).replace("<ssc:Real/>", "<ssc:Integer/>")
    taker = component("taker", ["n", "v"], [])
    sized = component("sized", [], ["v"]).replace("<ssc:Real/>", '<ssc:Real/><ssc:Dimension size="3"/>')
    ways = [
        Way(("whole", "n"), ("taker", "n")),
        Way(("sized", "v"), ("taker", "v"), more='startIndices="0"'),
    ]
    text = description(systems.system([whole, taker, sized], ways), "2.0")
    path = systems.archive(tmp_path / "odd.ssp", text, {})
    assert [row.unfit for row in listing(path).rows] == [
        "is Integer at whole.n, allowed Real, Float64",
        "connects elements of an array, allowed are scalars",
    ]
    with pytest.raises(UsageError, match=r"whole.n->taker.n is Integer at whole.n, allowed Real, Float64"):
        parts(path, "whole.n->taker.n")


def test_what_was_done_as_plain_values(flat):
    done = json.loads(json.dumps(parts(flat, X1, host="jacobi")[1].to_dict()))
    (row,) = done["inserted"]
    assert (row["component"], row["host"], row["reasons"]) == (
        "mass_2_x1_coupling",
        1.0,
        ["mass_2.f depends on it at once"],
    )
