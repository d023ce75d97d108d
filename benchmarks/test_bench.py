"""A bench at 1 kHz over loopback, 100 signals each way: the step in C against that in Python, and late steps."""

from __future__ import annotations

import socket
import time
from contextlib import closing

import numpy as np
import pytest

from couplant.bench import load_bench, run_bench, steps
from couplant.bench.carriers.udp import UdpTransport
from couplant.bench.handshake import Agreement
from couplant.bench.live.tap import Tap, Viewing
from couplant.bench.runner import rehearse
from couplant.bench.side import Side
from couplant.bench.wiring import SideWorkshop
from couplant.config.bench import SIDES
from couplant.cosim.fmu.load import FmuLibrary
from couplant.pack import build_model_fmu

SIGNALS, LATE, TRIES = 100, 0.01, 3
VARIABLE = '[[variables]]\nname = "{}[{}]"\nkind = "{}"\ndescription = "Signal"\n'
MODEL = """/* Lags that follow waves of their own. */
#include "model.h"

typedef struct { double u[SIGNALS], y[SIGNALS], time; } cp_state;

#include "variables.h"

static bool cp_begin(void *memory, const void *binding, double t0, cp_reason *why)
{
    (void)memory;
    (void)binding;
    (void)t0;
    (void)why;
    return true;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    (void)binding;
    for (int i = 0; i < SIGNALS; i++) {
        const double phase = step->t * (0.3 + 0.01 * i);
        const double x = phase - (double)(long)phase - 0.5;
        s->y[i] += 5.0 * step->h * (0.5 * s->u[i] - s->y[i] + 8.0 * x * (1.0 - 2.0 * (x < 0.0 ? -x : x)));
    }
    return CP_OK;
}

static const cp_model cp_this_model = {
    .name = "wide", .variables = cp_variables, .n_variables = CP_N_VARIABLES, .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time), .finish = cp_begin, .step = cp_move,
};
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    """Return a bench of two prototypes with 100 inputs and outputs each."""
    folder = tmp_path_factory.mktemp("wide")
    (folder / "wide").mkdir()
    kinds = (("u", "input"), ("y", "output"))
    variables = [VARIABLE.format(name, i, kind) for name, kind in kinds for i in range(1, SIGNALS + 1)]
    head = 'description = "Wide"\nstep_size = 0.001\nstop_time = 10.0\n'
    (folder / "wide" / "model.toml").write_text("\n".join([head, *variables]), encoding="utf-8")
    (folder / "wide" / "model.c").write_text(MODEL.replace("SIGNALS", str(SIGNALS)), encoding="utf-8")
    build_model_fmu(folder / "wide", folder)
    lines = ['name = "wide"', "duration = 10.0", "macro_step = 0.001", 'timing = ["event"]', "wire = false"]
    lines += ['algorithms = ["irregular"]', "relay.latency = 0.003"]
    lines += [f'components.{side}.fmu = "wide.fmu"' for side in SIDES]
    for here, there in (SIDES, SIDES[::-1]):
        for i in range(1, SIGNALS + 1):
            lines += [f"[signals.{here}_{i}]", f'from = "{here}.y[{i}]"', f'to = ["{there}.u[{i}]"]']
    (folder / "scenario.toml").write_text("\n".join(lines), encoding="utf-8")
    return load_bench(folder / "scenario.toml")


def test_a_step_in_c_next_to_one_in_python(loaded, tmp_path, monkeypatch, cost):
    with FmuLibrary() as library:
        made = SideWorkshop(loaded, "left", library, tmp_path).make("irregular", "event")
        native = min(rehearse(made, loaded.scenario, time.perf_counter).usual for _ in range(TRIES))
        monkeypatch.setattr(steps, "is_native", lambda components: False)
        python = min(rehearse(made, loaded.scenario, time.perf_counter).usual for _ in range(TRIES))
    assert cost(f"`bench`, a step of {SIGNALS} signals each way", native, "Python", python) < 0.25


def test_a_page_that_shows_the_bench_next_to_a_core(loaded, tmp_path, cost):
    """Work of a side on the frames of a second, with all its signals, against that second of a core."""
    scenario = loaded.scenario
    with FmuLibrary() as library, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as nobody:
        nobody.bind(("127.0.0.1", 0))
        made = SideWorkshop(loaded, "left", library, tmp_path, watched=True).make("irregular", "event")
        with closing(UdpTransport("left", "127.0.0.1:0", "")) as wire, Side(made, scenario, wire) as side:
            side.begin(Agreement(0, 0.0))
            tap = Tap(Viewing(*nobody.getsockname(), "word"), "left", 0, scenario.macro_step, scenario.late)
            rows = side._steps.rows
            for course in (rows.sent, rows.received, rows.estimate, rows.status):
                course[:] = np.random.default_rng(1).normal(size=course.shape)
            begun, count = time.thread_time(), 2000
            for n in range(count):
                tap.look(n, side._steps, side._done)
            taken = (time.thread_time() - begun) / (count * scenario.macro_step)
            tap.close()
    assert cost(f"`bench --live`, frames of {SIGNALS} signals each way", taken, "a core", 1.0) < 0.02


@pytest.mark.xfail(reason="the goal is open: where a host slows its machines, steps take ten times as long for 50 ms")
def test_late_steps_of_a_quiet_machine(loaded, record_property):
    """Of a try in which the machine held up more steps than that only those count that are late by their own work."""
    seen = []
    for _ in range(TRIES):
        (paces,) = run_bench(loaded).paces
        seen.append([pace.causes for pace in paces])
        if all(pace.share < LATE for pace in paces):
            break
    print("late steps:", seen)
    record_property("late", seen[-1])
    assert min(max(one["own"] for one in causes) for causes in seen) < LATE
    if min(max(one["held"] for one in causes) for causes in seen) > LATE:
        pytest.skip("this machine does something else too")
    assert all(pace.share < LATE for pace in paces)
