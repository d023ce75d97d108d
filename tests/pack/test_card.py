"""What an FMU is, and the configuration that it carries: built again, it has the same entries."""

import json
import zipfile

import pytest
import tomlkit
from typer.testing import CliRunner

from couplant.cli import app
from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu, build_model_fmu
from couplant.pack.archive.origin import CONFIGURATION
from couplant.pack.describe.card import card_of
from tests.c.signals import SIGNALS, interface_of
from tests.pack.entries import entries
from tests.pack.test_native_coupling import KINDS
from tests.pack.test_native_coupling import build as build_kind

SEQUENTIAL = {
    "interface": {
        "name": "b", "macro_step": 0.02, "micro_step": 0.01, "host": "sequential",
        "order": ["left", "f.coupling", "x.coupling", "right"],
    },
    "components": {"left": {"feedthrough": {"f": ["x"]}}, "right": {}},
    "signals": {"f": {"from": "left.f", "to": ["right.f"]}, "x": {"from": "right.x", "to": ["left.x"]}},
}  # fmt: skip


def carried(path):
    with zipfile.ZipFile(path) as archive:
        return archive.read(CONFIGURATION).decode()


def rebuilt(path, signal, folder, **how):
    document = tomlkit.parse(carried(path)).unwrap()
    return build_coupling_fmu(parse_interface(document, "carried"), signal, folder, **how)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_built_from_it_has_the_same_entries(kind, tmp_path):
    first = build_kind(tmp_path / "first", **KINDS[kind])
    assert entries(rebuilt(first, "torque", tmp_path / "second")) == entries(first)


@pytest.mark.parametrize("signal", SIGNALS)
def test_bonds_and_learning_too(signal, tmp_path):
    first = build_coupling_fmu(interface_of(signal), "s", tmp_path / "first", fmi="3")
    assert entries(rebuilt(first, "s", tmp_path / "second", fmi="3")) == entries(first)


@pytest.mark.parametrize("host", ["reads_again", "jacobi"])
def test_the_communication_step_is_that_of_the_default_experiment(host, tmp_path):
    head = {"name": "b", "macro_step": 0.02, "micro_step": 0.002, "host": host}
    document = {"interface": head, "signals": {"s": {"algorithm": "foh", "latency": {"constant_steps": 1}}}}
    first = build_coupling_fmu(parse_interface(document, "test"), "s", tmp_path / "first")
    with zipfile.ZipFile(first) as archive:
        assert b'stepSize="0.002"' in archive.read("modelDescription.xml")
    card = card_of(first)
    assert (card.facts["communication step"], card.facts["macro step"]) == ("0.002 s", "0.02 s")
    assert "micro_step = 0.002" in carried(first)
    assert entries(rebuilt(first, "s", tmp_path / "second")) == entries(first)
    head.pop("micro_step")
    plain = build_coupling_fmu(parse_interface(document, "test"), "s", tmp_path / "plain")
    assert card_of(plain).facts["communication step"] == "0.02 s"


def test_what_a_sequential_host_adds_is_kept(tmp_path):
    interface = parse_interface(SEQUENTIAL, "test")
    first = build_coupling_fmu(interface, "f", tmp_path / "first")
    assert carried(first).splitlines()[1].startswith("# A sequential host")
    with zipfile.ZipFile(first) as one:
        settings = one.read("resources/settings.txt").splitlines()[1:]
    with zipfile.ZipFile(rebuilt(first, "f", tmp_path / "second")) as other:
        assert other.read("resources/settings.txt").splitlines()[1:] == settings


def test_a_token_is_not_carried(tmp_path):
    learning = {"mode": "server", "token": "0123456789abcdef"}
    section = {"algorithm": "network", "learning": learning, "latency": {"constant_steps": 1}}
    document = {"interface": {"name": "b", "macro_step": 0.01}, "signals": {"s": section}}
    path = build_coupling_fmu(parse_interface(document, "test"), "s", tmp_path, backend="python")
    assert 'mode = "server"' in carried(path) and learning["token"] not in carried(path)


def test_a_signal_without_unit_has_limits_without_one(tmp_path):
    signal = {"output": {"min": -45.2, "max": 1.5}}
    document = {"interface": {"name": "b", "macro_step": 0.01}, "signals": {"s": signal}}
    facts = card_of(build_coupling_fmu(parse_interface(document, "test"), "s", tmp_path)).facts
    assert facts["limits"] == "from -45.2, up to 1.5"


def test_the_card_of_ours(tmp_path):
    path = build_kind(tmp_path, fmi="3", algorithm="auto")
    card = card_of(path)
    assert card.facts["FMU"] == "bench_torque.fmu: coupling FMU of signal torque of interface bench"
    assert (card.facts["timing"], card.facts["host"]) == ("step", "reads_again")
    assert card.facts["standard"] == "FMI 3.0, co-simulation"
    shown = [card.facts[about] for about in ("algorithm", "latency", "macro step")]
    assert shown == ["auto", "constant, k = 1", "0.01 s"]
    assert card.inputs["y"] == "N.m" and card.outputs["y_hat"] == "N.m"
    done = CliRunner().invoke(app, ["info", str(path), "--json"])
    assert json.loads(done.stdout)["facts"] == card.facts
    shown = CliRunner().invoke(app, ["info", str(path)]).stdout
    assert all(text in shown for text in card.facts.values()) and "y_hat [N.m]" in shown
    assert CliRunner().invoke(app, ["info", str(path), "--toml"]).stdout == carried(path)


@pytest.mark.parametrize("fallback", ["auto", "zoh"])
def test_the_fallback_of_a_model_is_shown(fallback, tmp_path):
    model = SIGNALS["modelled"]["model"] | ({} if fallback == "auto" else {"fallback": fallback})
    path = build_coupling_fmu(interface_of(SIGNALS["modelled"] | {"model": model}), "s", tmp_path)
    assert card_of(path).facts["fallback of the model"] == fallback
    assert "fallback of the model" not in card_of(build_kind(tmp_path)).facts


def test_the_card_of_others(tmp_path):
    path = build_model_fmu("mass_1", tmp_path)
    card = card_of(path)
    assert card.facts["FMU"].endswith("mass_1") and "algorithm" not in card.facts and "f" in card.inputs
    done = CliRunner().invoke(app, ["info", str(path), "--toml"])
    assert done.exit_code != 0 and "carries no configuration" in str(done.exception)
    (tmp_path / "no.fmu").write_bytes(b"no")
    done = CliRunner().invoke(app, ["info", str(tmp_path / "no.fmu")])
    assert done.exit_code != 0 and "not an FMU" in str(done.exception)
