"""``couplant dcp``: its three commands in processes of their own, and what they refuse."""

import json
import subprocess
import sys

import pytest

from couplant.elsewhere.helics.course import free_port
from tests.commands import Started
from tests.elsewhere.dcp.virtual import write_bench


def start(*words):
    command = [sys.executable, "-m", "couplant", "dcp", *map(str, words)]
    return Started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.landing("three processes in real time")
@pytest.mark.parametrize(("mode", "file"), [("SRT", "master.toml"), ("NRT", "bench.toml")])
def test_two_slaves_and_a_master_in_processes(couplant, tmp_path, mode, file):
    folder = write_bench(tmp_path / "bench", 2.0, ports=(free_port(), free_port()))
    slaves = []
    for side in ("left", "right"):
        done = couplant("dcp", "describe", folder / f"{side}.toml", "-o", folder / f"{side}.dcp")
        assert (done.status, done.err) == (0, "")
        slaves.append(start("slave", folder / f"{side}.toml", "--once", "-o", tmp_path / side, "--json"))
    try:
        changes = ["--set", f'mode="{mode}"', "--set", "connect=60.0"]
        done = couplant("dcp", "master", folder / file, *changes, "-o", tmp_path / "out", "--json")
        assert (done.status, done.err) == (0, "")
        told = [slave.communicate(timeout=60) for slave in slaves]
    finally:
        for slave in slaves:
            slave.kill()
    assert {name: one["points"] >= 100 for name, one in json.loads(done.out).items()} == {"left": True, "right": True}
    for slave, (out, err) in zip(slaves, told, strict=True):
        found = json.loads(out)
        dropped = {reason: count for reason, count in found["dropped"].items() if count}
        # on a busy machine one slave may begin late or stop early, and not take what the other sends then
        assert (slave.returncode, {*dropped} <= {"state"}) == (0, True), dropped
        assert sum(dropped.values()) < 20
        # and a value may come too late for the history, which its FMU says
        assert all(".coupling: t = " in line for line in err.splitlines()), err
        assert found["steps"] >= 100
    for side in ("left", "right"):
        assert len((tmp_path / "out" / f"{side}.csv").read_text().splitlines()) >= 101
        assert (tmp_path / side / f"{side}.csv").is_file()


def test_words_about_a_slave(couplant, tmp_path):
    folder = write_bench(tmp_path)
    done = couplant("dcp", "describe", folder / "left.toml")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[:2] == ["inputs: f", "outputs: x1, v1, f.y_hat"]
    assert lines[-1].startswith("left at 127.0.0.1:8080, ")
    assert (folder / "left.dcp").is_file()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["slave", "none.toml"], "none.toml"),
        (["slave", "left.toml", "--set", 'host="0.0.0.0"'], "host = 0.0.0.0: not on this machine only"),
        (["master", "master.toml"], "left.dcp"),
    ],
)
def test_what_is_refused(couplant, tmp_path, words, sentence):
    folder = write_bench(tmp_path)
    done = couplant("dcp", words[0], folder / words[1], *words[2:])
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err


def test_a_port_in_use_is_one_sentence(couplant, tmp_path):
    port = free_port()
    folder = write_bench(tmp_path, ports=(port, free_port()))
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", port))
        done = couplant("dcp", "slave", folder / "left.toml")
    assert done.status == 1
    assert done.err.startswith(f"couplant: 127.0.0.1:{port}: ")
