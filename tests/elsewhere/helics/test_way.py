"""The ends of the way of a signal: what they are told to carry comes out where the network FMU gives it out."""

import pytest
import tomlkit

from couplant.cosim.fmu.component import LocalComponent, Port
from couplant.elsewhere.helics.part import Way
from tests.elsewhere.helics.conftest import ROOT

CARRIED = ("echo", "energy.given", "energy.passed", "energy.time", "carried")


def way(**more):
    """Return a way with the variables of the network FMU, as its source lists them."""
    model = tomlkit.parse((ROOT / "fmu_src/models/network/model.toml").read_text(encoding="utf-8")).unwrap()
    ports = [Port(one["name"], causality=one["kind"]) for one in model["variables"]]
    lists = [one for one in model["variables"] if "list" in one]
    ports += [Port(f"{one['name']}[{i}]", causality=one["kind"]) for one in lists for i in range(2, one["list"] + 1)]
    return Way(LocalComponent("network", ports), more.get("carried", CARRIED), more.get("burst", 1))


def test_what_is_carried_comes_out_under_the_names_of_the_network():
    one = way()
    one.start(0.0, {"received.start": 1.0})
    assert one.values["energy.far_time"] == one.values["newest"] < -1e308
    one.deliver([0.5, 2.0, 0.25, 3.0, 4.0, 0.5, 6.0])
    found = {name: one.values[name] for name in ("received", "stamp", "newest", "echoed", "brought")}
    assert found == {"received": 2.0, "stamp": 0.5, "newest": 0.5, "echoed": 0.25, "brought": 6.0}
    assert [one.values[f"energy.far_{name}"] for name in ("given", "passed", "time")] == [3.0, 4.0, 0.5]


def test_nothing_is_given_out_that_nobody_can_read():
    with pytest.raises(AssertionError, match="lost in silence"):
        way(carried=("carried[99]",)).deliver([0.5, 2.0, 1.0])


def test_what_earlier_messages_carried_comes_out_with_the_values_that_are_repeated():
    one = way(carried=("carried", "carried[4]", "echo"), burst=3)
    for n in range(5):
        one.deliver([0.1 * n, n, 10.0 + n, 20.0 + n, 30.0 + n])
    found = {name: one.values[name] for name in ("received[3]", "brought", "brought[4]", "echoed")}
    assert found == {"received[3]": 2, "brought": 14.0, "brought[4]": 24.0, "echoed": 34.0}
    assert [one.values[f"brought[{i}]"] for i in (12, 15, 23, 26)] == [13.0, 23.0, 12.0, 22.0]
