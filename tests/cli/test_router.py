"""The verb: what is wrong is told; Ctrl-C ends it."""

import os
import signal

import pytest

from tests.bench.meetings import free_port, running, started


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--listen", "tcp/0.0.0.0:7447"), "listen = tcp/0.0.0.0:7447: another machine than this one"),
        (("--listen", "7447"), "listen = 7447: allowed is tcp/HOST:PORT or udp/HOST:PORT or tls/HOST:PORT"),
        (("--listen", "tcp/127.0.0.1:0"), "listen = tcp/127.0.0.1:0: allowed is tcp/HOST:PORT"),
        (("--key", "router.key"), "listen = tcp/127.0.0.1:7447: anybody could come in there, key is for endpoints"),
        (
            ("--listen", "tls/127.0.0.1:1", "--listen", "udp/127.0.0.1:2", "--ca", "ca.pem", "--key", "router.key"),
            "listen = udp/127.0.0.1:2: anybody could come in there, key, ca are for endpoints with tls/ only",
        ),
        (("--listen", "tls/127.0.0.1:7447"), "shows who the router is (--certificate, --key, --listen)."),
        (
            ("--listen", "tls/127.0.0.1:7447", "--certificate", "none.pem", "--key", "none.key"),
            "certificate = none.pem: no such file or directory (--certificate).",
        ),
    ],
)
def test_wrong_use_is_one_sentence(couplant, words, sentence):
    done = couplant("router", *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err and len(done.err.splitlines()) == 1


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_it_runs_until_control_c_and_says_when_a_port_is_taken(couplant):
    endpoint = f"tcp/127.0.0.1:{free_port()}"
    process = started("-m", "couplant", "router", "--listen", endpoint)
    with running(process, "router: listening on"):
        done = couplant("router", "--listen", endpoint)
        assert done.status == 1 and f"{endpoint}: cannot be listened to" in done.err
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        assert (process.returncode, output) == (0, "router: stopped\n")
