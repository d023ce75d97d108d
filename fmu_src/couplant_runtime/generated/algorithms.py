"""The algorithms, numbered as in the FMU."""

from ..row import Row

NONE = 0
ZOH = 1
FOH = 2
SMB = 3
EROS3 = 4
EROS4 = 5
LINEAR = 6
IRREGULAR = 7
AUTO = 8
NEURAL = 9
RECURSIVE_FIR = 10
COUPLING_ELEMENT = 11
MODEL = 12
PHASOR = 13

MEMBERS = ("zoh", "foh", "eros3", "eros4", "irregular", "linear")
"""What `auto` blends."""

ROWS: tuple[Row, ...] = (
    Row(
        "zoh", 1, "comparison: holds the newest value", k_max=64, pure=True, abbreviation=True,
        colours=("#ad2119", "#d55a1e"),
    ),
    Row("foh", 2, "slow signals, long latency", k_max=64, pure=True, abbreviation=True, colours=("#b77c10", "#e3aa08")),
    Row(
        "smb", 3, "the sliding-mode observer; not with discontinuity detection", k_max=62, carries_state=True,
        abbreviation=True, colours=("#802880", "#b570ac"),
    ),
    Row(
        "eros3", 4, "smooth signals in open loop", k_max=61, pure=True, abbreviation=True,
        colours=("#2556d3", "#3b7efb"),
    ),
    Row(
        "eros4", 5, "smooth signals without noise", k_max=60, pure=True, abbreviation=True,
        colours=("#15a18a", "#7dd7aa"),
    ),
    Row(
        "linear", 6, "your own weights, from a design or a recording", k_max=64, needs="weights",
        colours=("#b078f6", "#c2adff"),
    ),
    Row(
        "irregular", 7,
        "jitter, loss and disorder: it weighs values by their true ages; `band`, `values`, `exact`, `noise`", k_max=64,
        needs="spectrum", colours=("#ff527a", "#b01ac1"),
    ),
    Row(
        "auto", 8, "the usual choice: a blend of the others by their recent errors, `auto.*` shows the shares",
        k_max=64, needs="spectrum", blends=True, colours=("#523347", "#8dff09"),
    ),
    Row(
        "network", 9, "signals that repeat themselves: it learns while it runs, see [learning](learning.md)", k_max=64,
        module="neural", needs="neural", learns=True, as_origin=True, colours=("#000078", "#959e7b"),
    ),
    Row(
        "recursive_fir", 10, "comparison, Python backend: a model of the signal, see [learning](learning.md)", k_max=64,
        needs="model", learns=True, native=False,
    ),
    Row(
        "coupling_element", 11,
        "comparison, Python backend: a model from input `u` to `y`, see [learning](learning.md)", k_max=64,
        needs="model", learns=True, native=False,
    ),
    Row(
        "model", 12, "any latency, where the prototype that sends y has a model, see [models](models.md)", k_max=64,
        needs="plant", colours=("#935796", "#ebcaf3"),
    ),
    Row(
        "phasor", 13, "periodic signals: phasors, and the frequency, see [the grid](grid.md)", k_max=64, needs="phasor",
        colours=("#0000c0", "#b43c18"),
    ),
)
