"""Linear prototypes of a system as sources in C, for hosts of other makers: the motion of `couplant simulate`.

x' = A x + B u + b w, y = C x + D u + v, at rest at the start. Inputs are held in a communication step, w is linear
between macro points and v changes at them: the very samples of the scene, as tables. A step is worked out here, by the
exponential of a matrix of its own, so that an error in the product's would show.
"""

from __future__ import annotations

import string
from pathlib import Path

import numpy as np
import tomlkit
from scipy.linalg import expm

from couplant.analysis.system import Prototype
from couplant.config.frame.read import Content
from couplant.cosim.fmu.prototype import Scene
from couplant.pack.describe.model_sheet import CODE, SHEET

TEMPLATE = string.Template("""\
#include "model.h"

#include "motion.h"

enum { CP_STATES = $states, CP_GIVEN = $given, CP_SENT = $sent };

/* x+ = step (x, u, w, w+),  y = shown (x, u) + v */
static const double cp_matrix_step[CP_STATES][CP_STATES + CP_GIVEN + 2] = $step;
static const double cp_matrix_shown[CP_SENT][CP_STATES + CP_GIVEN] = $shown;
static const double cp_w[] = $w;
static const double cp_v[][CP_SENT] = $v;

typedef struct {
    double $members;
    double now[CP_STATES + CP_GIVEN + 2];
    double time, begun;
} cp_state;

#include "variables.h"

static size_t cp_macro_step(const cp_state *s, double t, double nearness)
{
    const size_t last = sizeof cp_w / sizeof *cp_w - 1;
    const double at = (t - s->begun) / $macro_step + nearness;
    const size_t n = at > 0.0 ? (size_t)at : 0;
    return n < last ? n : last;
}

static double cp_excitation(const cp_state *s, double t)
{
    size_t n = cp_macro_step(s, t, 1e-9);
    n -= n + 1 == sizeof cp_w / sizeof *cp_w ? 1 : 0;
    return cp_w[n] + ((t - s->begun) / $macro_step - (double)n) * (cp_w[n + 1] - cp_w[n]);
}

static void cp_take(cp_state *s)
{
    const double u[] = {$taken};
    memcpy(s->now + CP_STATES, u, sizeof u);
}

static void cp_outputs(void *memory, const void *binding, double t, bool running)
{
    cp_state *const s = (cp_state *)memory;
    double y[CP_SENT];
    (void)binding;
    cp_take(s);
    for (size_t i = 0; i < CP_SENT; i++) {
        y[i] = cp_v[running ? cp_macro_step(s, t, 1e-6) : 0][i];
        for (size_t j = 0; j < CP_STATES + CP_GIVEN; j++) {
            y[i] += cp_matrix_shown[i][j] * s->now[j];
        }
    }
$shows
}

static bool cp_begin(void *memory, const void *binding, double t0, cp_reason *why)
{
    cp_state *const s = (cp_state *)memory;
    (void)why;
    s->begun = t0;
    cp_outputs(memory, binding, t0, false);
    return true;
}

static cp_status cp_move(void *memory, const void *binding, cp_step *step)
{
    cp_state *const s = (cp_state *)memory;
    double x[CP_STATES];
    bool finite = true;
    cp_take(s);
    s->now[CP_STATES + CP_GIVEN] = cp_excitation(s, step->t);
    s->now[CP_STATES + CP_GIVEN + 1] = cp_excitation(s, step->t + step->h);
    for (size_t i = 0; i < CP_STATES; i++) {
        x[i] = 0.0;
        for (size_t j = 0; j < CP_STATES + CP_GIVEN + 2; j++) {
            x[i] += cp_matrix_step[i][j] * s->now[j];
        }
        finite = finite && cp_finite(x[i]);
    }
    memcpy(s->now, x, sizeof x);
    cp_outputs(memory, binding, step->t + step->h, true);
    return cp_ended(finite, step);
}

static const cp_event cp_events[] = {CP_MOTION_EVENTS};

static const cp_model cp_this_model = {
    .name = "$name",
    .variables = cp_variables,
    .n_variables = CP_N_VARIABLES,
    .events = cp_events,
    .n_events = 1,
    .state_size = sizeof(cp_state),
    .time = offsetof(cp_state, time),
    .finish = cp_begin,
    .step = cp_move,
    .refresh = cp_outputs,
};
""")


def write_prototype(folder: Path, one: Prototype, scene: Scene, h: float) -> Path:
    """Write the sources of a prototype of a `scene`, stepped by `h` [s], into `folder`; return where they are."""
    place = folder / one.name
    place.mkdir(parents=True)
    (place / SHEET).write_text(tomlkit.dumps(_sheet(one, h)), encoding="utf-8")
    w = scene.system.excitation[one.name]
    parts = {
        "name": one.name,
        "states": len(one.A),
        "given": len(one.inputs),
        "sent": len(one.outputs),
        "macro_step": scene.system.macro_step.hex(),
        "members": ", ".join([*one.inputs, *one.outputs]),
        "taken": ", ".join(f"s->{name}" for name in one.inputs),
        "shows": "\n".join(f"    s->{name} = y[{i}];" for i, name in enumerate(one.outputs)),
        "step": _braces(_step(one, np.array(w.states), h)),
        "shown": _braces(np.hstack([one.C, one.D])),
        "w": _braces(scene.excitation(one.name)),
        "v": _braces(scene.noise(one.name)),
    }
    (place / CODE).write_text(TEMPLATE.substitute(parts), encoding="utf-8")
    return place


def _step(one: Prototype, b: np.ndarray, h: float) -> np.ndarray:
    """Return what x, u, w at the beginning and w at the end of a step become: states, inputs and w join in one flow."""
    n, m = one.B.shape
    flow = np.zeros((n + m + 2, n + m + 2))
    flow[:n, :n], flow[:n, n : n + m], flow[:n, n + m] = one.A, one.B, b
    flow[n + m, n + m + 1] = 1.0 / h
    found = expm(flow * h)[:n]
    # the last column is for w+ - w
    found[:, -2] -= found[:, -1]
    return found


def _braces(values: np.ndarray) -> str:
    if values.ndim > 1:
        return "{" + ",\n    ".join(map(_braces, values)) + "}"
    return "{" + ", ".join(float(value).hex() for value in values) + "}"


def _sheet(one: Prototype, h: float) -> Content:
    given = [{"name": name, "kind": "input", "description": "What the other side sends"} for name in one.inputs]
    sent = []
    for name, row in zip(one.outputs, one.D, strict=True):
        acting = [i for i, d in zip(one.inputs, row, strict=True) if d]
        needed = {"dependencies": acting, "initial_dependencies": acting}
        sent.append({"name": name, "kind": "output", "description": "What is sent, with its noise"} | needed)
    said = f"Linear prototype {one.name}"
    return {"description": said, "step_size": h, "stop_time": 1.0, "variables": [*given, *sent]}
