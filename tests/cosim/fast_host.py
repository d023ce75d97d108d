"""Long runs of FMUs of FMI 2 in the order of a list, by a master in C that does nothing else."""

from __future__ import annotations

import ctypes as ct
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from tests.c.programs import program
from tests.native import Native

_HERE = Path(__file__).parent


class _Fmu(ct.Structure):
    _fields_ = [(name, ct.c_void_p) for name in ("component", "set", "get", "step")]


class _Action(ct.Structure):
    _fields_ = [("fmu", ct.c_int), ("writes", ct.c_int), ("variable", ct.c_uint), ("slot", ct.c_int)]
    _fields_ += [("late", ct.c_int)]


class _Host(ct.Structure):
    _fields_ = [
        ("fmus", ct.POINTER(_Fmu)),
        ("n_fmus", ct.c_size_t),
        ("actions", ct.POINTER(_Action)),
        ("n_actions", ct.c_size_t),
        ("given", ct.c_void_p),
        ("n_given", ct.c_size_t),
        ("late", ct.c_void_p),
        ("values", ct.c_void_p),
        ("n_values", ct.c_size_t),
        ("h", ct.c_double),
    ]


def run(
    fmus: dict[str, Native],
    order: Sequence[str],
    given: np.ndarray,
    h: float,
    more: Mapping[str, np.ndarray] = MappingProxyType({}),
    late: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Run initialised FMUs from time 0 on, as long as there are values given and steps succeed.

    Parameters
    ----------
    fmus : dict of str to Native
        In the order in which they step.
    order : sequence of str
        What happens at a communication point: ``"fmu.output"`` is read, ``"fmu.input = fmu.output"`` sets what was
        read, or ``given``; with `` late`` at its end as it was some points ago.
    given : ndarray, shape (N,)
        Values at the communication points.
    h : float
        Communication step [s].
    more : mapping of str to ndarray, shape (N,)
        Other values to set, by the name that `order` calls them.
    late : ndarray of int, shape (N,), optional
        How many points ago, at each point [-].

    Returns
    -------
    dict of str to ndarray
        What was read, at each point that was reached.
    """
    slots = {name: slot for slot, name in enumerate(("given", *more))}
    actions = []
    for line in order:
        target, _, source = line.removesuffix(" late").partition(" = ")
        fmu, _, variable = target.partition(".")
        slot = slots[source] if source else slots.setdefault(target, len(slots))
        reference = fmus[fmu].variables[variable].valueReference
        actions.append(_Action([*fmus].index(fmu), bool(source), reference, slot, line.endswith(" late")))
    values, rows = np.zeros(len(slots)), np.zeros((len(given), len(slots)))
    table = (_Fmu * len(fmus))(*map(_entry, fmus.values()))
    columns = np.column_stack([given, *more.values()])
    delay = np.zeros(len(given), dtype=np.int32) if late is None else late.astype(np.int32)
    acts = (_Action * len(actions))(*actions)
    given_at = (columns.ctypes.data, columns.shape[1], delay.ctypes.data)
    host = _Host(table, len(fmus), acts, len(actions), *given_at, values.ctypes.data, len(slots), h)
    call = ct.CDLL(str(program(_HERE / "host.c", "-O2", "-shared", "-fPIC"))).host_run
    call.restype = ct.c_size_t
    reached = call(ct.byref(host), ct.c_size_t(len(given) - 1), rows.ctypes.data_as(ct.c_void_p))
    return {name: rows[:reached, slot] for name, slot in slots.items()}


def _entry(fmu: Native) -> _Fmu:
    pointers = (ct.cast(getattr(fmu.library, f"fmi2{name}"), ct.c_void_p) for name in ("SetReal", "GetReal", "DoStep"))
    return _Fmu(fmu.component, *pointers)
