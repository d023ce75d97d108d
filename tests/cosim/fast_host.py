"""Long runs of FMUs of FMI 2 in the order of a list, by a master in C that does nothing else."""

from __future__ import annotations

import ctypes as ct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.c.programs import program
from tests.native import Native

_HERE = Path(__file__).parent


class _Fmu(ct.Structure):
    _fields_ = [(name, ct.c_void_p) for name in ("component", "set", "get", "step")]


class _Action(ct.Structure):
    _fields_ = [("fmu", ct.c_int), ("writes", ct.c_int), ("variable", ct.c_uint), ("slot", ct.c_int)]


class _Host(ct.Structure):
    _fields_ = [
        ("fmus", ct.POINTER(_Fmu)),
        ("n_fmus", ct.c_size_t),
        ("actions", ct.POINTER(_Action)),
        ("n_actions", ct.c_size_t),
        ("given", ct.c_void_p),
        ("values", ct.c_void_p),
        ("n_values", ct.c_size_t),
        ("h", ct.c_double),
    ]


def run(fmus: dict[str, Native], order: Sequence[str], given: np.ndarray, h: float) -> dict[str, np.ndarray]:
    """Run initialised FMUs from time 0 on, as long as there are values given and steps succeed.

    Parameters
    ----------
    fmus : dict of str to Native
        In the order in which they step.
    order : sequence of str
        What happens at a communication point: ``"fmu.output"`` is read, ``"fmu.input = fmu.output"`` sets what was
        read, or ``given``.
    given : ndarray, shape (N,)
        Values at the communication points.
    h : float
        Communication step [s].

    Returns
    -------
    dict of str to ndarray
        What was read, at each point that was reached.
    """
    slots = {"given": 0}
    actions = []
    for line in order:
        target, _, source = line.partition(" = ")
        fmu, _, variable = target.partition(".")
        slot = slots[source] if source else slots.setdefault(target, len(slots))
        reference = fmus[fmu].variables[variable].valueReference
        actions.append(_Action([*fmus].index(fmu), bool(source), reference, slot))
    values, rows = np.zeros(len(slots)), np.zeros((len(given), len(slots)))
    table = (_Fmu * len(fmus))(*map(_entry, fmus.values()))
    given = np.ascontiguousarray(given, dtype=float)
    acts = (_Action * len(actions))(*actions)
    host = _Host(table, len(fmus), acts, len(actions), given.ctypes.data, values.ctypes.data, len(slots), h)
    call = ct.CDLL(str(program(_HERE / "host.c", "-O2", "-shared", "-fPIC"))).host_run
    call.restype = ct.c_size_t
    reached = call(ct.byref(host), ct.c_size_t(len(given) - 1), rows.ctypes.data_as(ct.c_void_p))
    return {name: rows[:reached, slot] for name, slot in slots.items()}


def _entry(fmu: Native) -> _Fmu:
    pointers = (ct.cast(getattr(fmu.library, f"fmi2{name}"), ct.c_void_p) for name in ("SetReal", "GetReal", "DoStep"))
    return _Fmu(fmu.component, *pointers)
