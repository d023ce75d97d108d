"""The algorithms, numbered as in the FMU."""

from ..described import Described

NONE = 0
ZOH = 1
FOH = 2
SMB = 3
EROS3 = 4
EROS4 = 5
LINEAR = 6
IRREGULAR = 7
AUTO = 8
NETWORK = 9
RECURSIVE_FIR = 10
COUPLING_ELEMENT = 11

DESCRIBED: tuple[Described, ...] = (
    Described(
        "zoh", 1, k_max=64, native=True, module="zoh", pure=True, abbreviation=True, colours=("#ad2119", "#d55a1e"),
        tolerances="every", words="comparison: what a coupling without compensation does",
    ),
    Described(
        "foh", 2, k_max=64, native=True, module="foh", pure=True, abbreviation=True, colours=("#b77c10", "#e3aa08"),
        tolerances="every", words="slow signals, long latency",
    ),
    Described(
        "smb", 3, k_max=62, native=True, module="smb", carries_state=True, abbreviation=True,
        colours=("#802880", "#b570ac"), tolerances="every",
        words="the sliding-mode observer; not with discontinuity detection",
    ),
    Described(
        "eros3", 4, k_max=61, native=True, module="eros3", pure=True, abbreviation=True, colours=("#2556d3", "#3b7efb"),
        tolerances="every", words="smooth signals; the usual choice",
    ),
    Described(
        "eros4", 5, k_max=60, native=True, module="eros4", pure=True, abbreviation=True, colours=("#15a18a", "#7dd7aa"),
        tolerances="every", words="smooth signals without noise",
    ),
    Described(
        "linear", 6, k_max=64, native=True, module="linear", needs="weights", colours=("#b078f6", "#c2adff"),
        tolerances="every", words="your own weights, from a design or a recording",
    ),
    Described(
        "irregular", 7, k_max=64, native=True, module="irregular", needs="spectrum", colours=("#ff527a", "#b01ac1"),
        tolerances="spectrum",
        words="jitter, loss and disorder: it weighs values by their true ages; `band`, `values`, `exact`, `noise`",
    ),
    Described(
        "auto", 8, k_max=64, native=True, module="auto", needs="spectrum", blends=True, colours=("#523347", "#8dff09"),
        tolerances="spectrum",
        words="when you do not know: a blend of the others by their recent errors, `auto.*` shows the shares",
    ),
    Described(
        "network", 9, k_max=64, native=True, module="neural", needs="neural", learns=True,
        colours=("#000078", "#959e7b"), tolerances="none",
        words="signals that repeat themselves: it learns while it runs, see [learning](learning.md)",
    ),
    Described(
        "recursive_fir", 10, k_max=64, native=False, module="recursive_fir", needs="model", learns=True,
        tolerances="chosen", words="comparison, Python backend: a model of the signal, see [learning](learning.md)",
    ),
    Described(
        "coupling_element", 11, k_max=64, native=False, module="coupling_element", needs="model", learns=True,
        tolerances="chosen",
        words="comparison, Python backend: a model from input `u` to `y`, see [learning](learning.md)",
    ),
)
