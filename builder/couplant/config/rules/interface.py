"""Rules that settings must fulfil together, and warnings."""

import math
from collections.abc import Collection, Iterator

from couplant.base.filenames import is_device, same_files
from couplant.base.grid import micro_steps_in
from couplant.base.units import doubt
from couplant.base.written import real
from couplant.config.frame.sentences import Content, Problem
from couplant.config.hosts import READS_AGAIN, SEQUENTIAL
from couplant.config.interface import MAX_STEPS, Common, Document, Interface, Signal
from couplant.config.latency import Pair, added_steps, follow_problems, is_risky, latency_steps
from couplant.config.models import MODEL, model_of, model_problems
from couplant.config.rules.bonds import bond_advice, bond_problems
from couplant.config.rules.neural import neural_problems
from couplant_runtime.algorithms import BY_NAME
from couplant_runtime.generated.constants import LEAST_LEAD, PHASOR_HIGHEST, PHASOR_RANGE, PHASOR_SLOW, TINY
from couplant_runtime.guard import UNLIMITED

STAND_IN: Content = {"interface": {"name": "interface", "macro_step": 1.0}}
"""What is assumed for rules where it is missing or wrong."""

_SUM_TOLERANCE = 1e-4
_LEAD = ("mode", "constant_steps", "offset", "host_lead", "hold_lead")

_SHORTEST, _LONGEST = 1e-12, 1e9  # macro steps that floats tell apart over a run [s]


def problems(document: Document) -> list[Problem]:
    """Return everything that is wrong with keys that are right one by one."""
    of_signals = [problem for name in document.signals for problem in _signal_problems(document, name)]
    first = [*_host_problems(document), *name_problems(document.signals)]
    return [*first, *of_signals, *bond_problems(document), *model_problems(document.models)]


def waits_for_host(signal: Signal, common: Common) -> bool:
    """Tell whether the latency of a signal is known only once it is worked out what its host adds."""
    return common.host != READS_AGAIN and "host_lead" not in signal.latency.model_fields_set


def lead_problems(signal: Signal, common: Common, path: str) -> Iterator[Problem]:
    """Return problems of the latency of a signal and of settings that must fit it; `path` leads to its section."""
    k = latency_steps(signal.latency, common.macro_step)
    yield from neural_problems(signal, k, common.timing, path)
    latency = signal.latency
    if latency.lost_steps < latency.coast_steps:
        text = f"{path}.latency.lost_steps = {latency.lost_steps}, allowed at least coast_steps = {latency.coast_steps}"
        yield Problem(text, _keys(path, "latency.lost_steps", "latency.coast_steps"))
    offset = f"{path}.latency.offset = {real(latency.offset)} s"
    keys = ("interface.macro_step", *_keys(path, *(f"latency.{key}" for key in _LEAD)))
    if latency.offset < 0.0 and common.macro_step == 0.0:
        yield Problem(f"{offset}, allowed 0 or more with interface.macro_step = 0: host_lead can be less", keys)
    if latency.host_lead or latency.hold_lead:
        offset += f" with host_lead = {real(latency.host_lead)} and hold_lead = {real(latency.hold_lead)}"
    constant = latency.constant_steps if latency.mode == "constant" else 0
    lead = constant + added_steps(latency, common.macro_step)
    if not lead >= LEAST_LEAD - TINY:
        yield Problem(f"{offset} makes the lead {lead:g} macro steps, allowed {LEAST_LEAD:g} or more", keys)
    if latency.mode == "constant" and latency_steps(latency, common.macro_step) > MAX_STEPS:
        text = (
            f"{offset} makes the latency longer than {MAX_STEPS} macro steps, together with constant_steps = {constant}"
        )
        yield Problem(text, keys)
    yield from _table_problems(signal, k, path)
    yield from _phasor_problems(signal, common.macro_step, path)


def _phasor_problems(signal: Signal, macro_step: float, path: str) -> Iterator[Problem]:
    """Yield problems of a periodic signal whose fundamental the macro step cannot tell."""
    algorithm = signal.algorithm
    if BY_NAME[algorithm.selected].needs != "phasor" or macro_step == 0.0:
        return
    low, high = (turns / ((1.0 + PHASOR_RANGE) * macro_step) for turns in (PHASOR_SLOW, PHASOR_HIGHEST))
    if not low <= algorithm.frequency < high:
        text = f"{path}.algorithm.frequency = {real(algorithm.frequency)} Hz, allowed {low:.4g} to below {high:.4g} Hz"
        keys = ("interface.macro_step", f"{path}.algorithm.frequency")
        yield Problem(f"{text} with interface.macro_step = {real(macro_step)} s", keys)


def name_problems(signals: Collection[str]) -> Iterator[Problem]:
    """Yield problems of the names of `signals`, which become names of files."""
    for other, name in same_files({name: name for name in signals}):
        text = f"signals.{name} and signals.{other} differ in case only: their FMUs would overwrite each other"
        yield Problem(text, ())
    for name in filter(is_device, signals):
        yield Problem(f"signals.{name}: allowed any name but those of devices, which Windows refuses for files", ())


def _host_problems(document: Document) -> Iterator[Problem]:
    common = document.interface
    if common.macro_step == 0.0 and common.timing == "event":
        yield Problem('interface.macro_step = 0.0, allowed with timing = "step" only', _keys("interface", "macro_step"))
    if common.timing == "event" and common.host != READS_AGAIN:
        text = f'interface.host = "{common.host}", allowed with timing = "step" only: "event" needs "{READS_AGAIN}"'
        yield Problem(text, _keys("interface", "host", "timing"))
    order, signals = document.interface.order, document.signals
    refs = (ref for signal in signals.values() for ref in (signal.source, *signal.to) if ref is not None)
    known = {*document.components, *(ref.component for ref in refs), *(f"{name}.coupling" for name in signals)}
    for place, name in enumerate(order):
        if name not in known | {f"{signal}.network" for signal in signals}:
            text = f'interface.order has "{name}", allowed {", ".join(sorted(known))}, SIGNAL.network'
            yield Problem(text, _keys("interface", "order"))
        elif name in order[:place]:
            yield Problem(f'interface.order has "{name}" twice', _keys("interface", "order"))
    if common.macro_step and not _SHORTEST <= common.macro_step <= _LONGEST:
        text = f"interface.macro_step = {real(common.macro_step)}, allowed 0 or {_SHORTEST:g} to {_LONGEST:g} s"
        yield Problem(text, _keys("interface", "macro_step"))
    if common.micro_step is not None and micro_steps_in(common.macro_step, common.micro_step) < 1:
        text = f"interface.micro_step = {real(common.micro_step)}, allowed what divides macro_step"
        yield Problem(f"{text} = {real(common.macro_step)}", _keys("interface", "micro_step", "macro_step"))
    for name, signal in document.signals.items() if common.host == SEQUENTIAL else ():
        ends = {f"{name}.coupling", *(to.component for to in signal.to)}
        if "host_lead" not in signal.latency.model_fields_set and not (signal.to and ends <= set(order)):
            text = (
                f"signals.{name}: in a sequential host order counts: give from, to and interface.order with their "
                f"components and {name}.coupling, or latency.host_lead from the probe"
            )
            yield Problem(text, ("interface.order", f"signals.{name}"))


def _signal_problems(document: Document, name: str) -> Iterator[Problem]:
    signal, common, path = document.signals[name], document.interface, f"signals.{name}"
    if signal.output.variability == "discrete" and common.timing == "event":
        text = f'{path}.output.variability = "discrete", allowed with timing = "step" only'
        yield Problem(text, ("interface.timing", f"{path}.output.variability"))
    selected = signal.algorithm.selected
    if BY_NAME[selected].carries_state and signal.discontinuity.enabled:
        text = f'{path}.discontinuity.enabled = true, allowed false with algorithm "{selected}", which carries a state'
        yield Problem(text, _keys(path, "discontinuity.enabled", "algorithm.selected"))
    yield from _weight_problems(signal, path)
    if not waits_for_host(signal, common):
        yield from lead_problems(signal, common, path)
    output = signal.output
    limits = f"{real(output.min)} to {real(output.max)}"
    if output.min >= output.max:
        text = f"{path}.output.min = {real(output.min)}, allowed less than max = {real(output.max)}"
        yield Problem(text, _keys(path, "output.min", "output.max"))
    elif output.on_loss == "safe" and not output.min <= output.safe_value <= output.max:
        text = f"{path}.output.safe_value = {real(output.safe_value)}, allowed {limits}"
        yield Problem(text, _keys(path, "output.min", "output.max", "output.on_loss", "output.safe_value"))
    yield from _stamp_problems(signal, common.macro_step, path)
    yield from follow_problems(signal, common.macro_step, path)
    if signal.algorithm.selected == MODEL and model_of(document.models, name) is None:
        text = f'{path}.algorithm = "{MODEL}" needs a table models.NAME whose outputs have {name}'
        yield Problem(text, (f"{path}.algorithm", "models"))


def _weight_problems(signal: Signal, path: str) -> Iterator[Problem]:
    algorithm, at = signal.algorithm, f"{path}.algorithm"
    single, both = _keys(path, "algorithm.a", "algorithm.A"), algorithm.a is not None and algorithm.A is not None
    if not both and (algorithm.a is not None or algorithm.A is not None):
        yield Problem(f"{at}.a and {at}.A belong together: one of them is missing", single)
    elif not both and algorithm.steps is not None:
        yield Problem(f"{at}.steps = {algorithm.steps}, allowed together with {at}.a and {at}.A only", single)
    if algorithm.table and both:
        yield Problem(f"{at}.table and {at}.a exclude each other", (*single, f"{at}.table"))
    given = algorithm.table or algorithm.a is not None or algorithm.A is not None
    if BY_NAME[algorithm.selected].needs == "weights" and not given and signal.derivative is None:
        keys = (*single, *_keys(path, "algorithm.table", "algorithm.selected"))
        yield Problem(f'{at}.selected = "{algorithm.selected}" needs weights: {at}.a and {at}.A, or {at}.table', keys)
    yield from _derivative_problems(signal, path)
    for place, row in _weights(signal, path):
        if len(row[0]) != len(row[1]):
            text = f"{place}.a has length {len(row[0])} and {place}.A has length {len(row[1])}, allowed the same length"
            yield Problem(text, single if place == at else (f"{at}.table",))
    steps = [row.steps for row in algorithm.table]
    for step in sorted({step for step in steps if steps.count(step) > 1}):
        yield Problem(f"{at}.table has the weights for {step} macro steps more than once", (f"{at}.table",))


def _derivative_problems(signal: Signal, path: str) -> Iterator[Problem]:
    """Yield problems of the weights of the derivative."""
    at = f"{path}.algorithm"
    algorithm = signal.algorithm
    rows = [(at, algorithm.b, algorithm.B, algorithm.a is not None)]
    rows += [(f"{at}.table[{i}]", row.b, row.B, True) for i, row in enumerate(algorithm.table, start=1)]
    for place, b, B, whole in rows:
        keys = _keys(at, "b", "B") if place == at else (f"{at}.table",)
        lengths = [len(one or ()) for one in (b, B)]
        if lengths[0] != lengths[1]:
            text = f"{place}.b has length {lengths[0]} and {place}.B has length {lengths[1]}, allowed the same length"
            yield Problem(text, keys)
        elif b and not (whole and signal.derivative is not None):
            needed = f"{path}.derivative" if whole else f"{at}.a and {at}.A"
            yield Problem(f"{place}.b has weights of the derivative, allowed together with {needed}", keys)


def _table_problems(signal: Signal, k: int, path: str) -> Iterator[Problem]:
    algorithm, at = signal.algorithm, f"{path}.algorithm"
    keys = ("interface.macro_step", f"{at}", f"{path}.latency")
    if BY_NAME[algorithm.selected].needs != "weights":
        return
    stamped = signal.latency.mode in ("stamps", "round_trip")
    if algorithm.a is not None and stamped:
        mode = signal.latency.mode
        text = f'{path}.latency.mode = "{mode}", allowed "constant" with weights for one latency: give {at}.table'
        yield Problem(text, keys)
    if stamped:
        return
    if algorithm.a is not None and algorithm.steps not in (None, k):
        yield Problem(f"{at}.steps = {algorithm.steps}, allowed the latency of the signal, {k} macro steps", keys)
    held = sorted(row.steps for row in algorithm.table)
    if held and k not in held:
        there = ", ".join(str(steps) for steps in held)
        text = f"{at}.table has no weights for the latency of the signal, {k} macro steps, only for {there}"
        yield Problem(text, keys)


def _stamp_problems(signal: Signal, macro_step: float, path: str) -> Iterator[Problem]:
    if signal.algorithm.band is not None and macro_step == 0.0:
        keys = ("interface.macro_step", f"{path}.algorithm.band")
        yield Problem(f"{path}.algorithm.band is in rad/s, allowed with interface.macro_step above 0 only", keys)
    if signal.latency.mode != "constant":
        return
    if signal.burst > 1:
        text = f'{path}.burst = {signal.burst}, allowed 1 with latency.mode = "constant": repeated values need stamps'
        yield Problem(text, _keys(path, "burst", "latency.mode"))
    if signal.latency.clock == "free":
        text = f'{path}.latency.clock = "free", allowed "common" with latency.mode = "constant": there are no stamps'
        yield Problem(text, _keys(path, "latency.clock", "latency.mode"))


def _keys(path: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{path}.{name}" for name in names)


def advice(interface: Interface) -> list[str]:
    """Return a sentence for each setting that is allowed and still likely to be a mistake."""
    found: list[str] = []
    for name, signal in interface.signals.items():
        found += _signal_advice(signal, interface.macro_step, f"signals.{name}")
        found += [f"signals.{name}.unit: {text}" for text in (doubt(signal.unit),) if text]
    return [*found, *_twice(interface), *bond_advice(interface)]


def _twice(interface: Interface) -> Iterator[str]:
    for name, signal in interface.signals.items():
        before = interface.added[name].before if name in interface.added else ()
        led = [n for n, s in interface.signals.items() if s.latency.host_lead > 0.0 and set(s.to) & set(before)]
        if led and signal.latency.host_lead > 0.0 and interface.added[name].steps <= 0:
            yield (
                f"signals.{name}.latency.host_lead = {signal.latency.host_lead:g}: what {signal.source} is late by is "
                f"made up for by {', '.join(led)} already; for the same path give host_lead on one side only."
            )


def _signal_advice(signal: Signal, macro_step: float, path: str) -> Iterator[str]:
    output, row = signal.output, BY_NAME[signal.algorithm.selected]
    by_itself = row.blends and "guard" not in output.model_fields_set
    if output.min == -UNLIMITED and output.max == UNLIMITED and not (by_itself or output.guard > 0.0):
        yield f"{path} has no limits: set output.min and output.max, or output.guard, to bound a wrong estimate."
    if is_risky(signal.latency, signal.algorithm.selected):
        reach = signal.latency.constant_steps + signal.latency.host_lead
        yield (
            f"{path}: {signal.algorithm.selected} makes up for {reach:g} macro steps with what the host adds; stiffly "
            "coupled loops become unstable by that: compare with latency.host_lead = 0 in a simulation or on the bench."
        )
    if signal.latency.mode == "constant" and "constant_steps" not in signal.latency.model_fields_set:
        yield f"{path}.latency.constant_steps is not set: 0 macro steps are assumed."
    if asks_server(signal) and signal.learning.token is not None:
        yield (
            f"{path}.learning.token stands in clear in the FMU, for all who have it: leave it out and set "
            "COUPLANT_TOKEN where the FMU runs."
        )
    for at, (a, slopes) in _weights(signal, path):
        if abs(math.fsum(a) - 1.0) > _SUM_TOLERANCE or abs(math.fsum(slopes)) > _SUM_TOLERANCE:
            yield f"{at} does not keep constants: a should add up to 1, A to 0."
    k = latency_steps(signal.latency, macro_step)
    if signal.latency.mode in ("constant", "resequenced") and row.k_max < k <= MAX_STEPS:
        yield (
            f"{path}: {row.name} needs more values at a latency of {k} macro steps than the history has and "
            f"gives way to foh: it runs up to {row.k_max}."
        )


def asks_server(signal: Signal) -> bool:
    """Tell whether the FMU of a signal is to learn on a server."""
    return BY_NAME[signal.algorithm.selected].needs == "neural" and signal.learning.mode == "server"


def _weights(signal: Signal, path: str) -> Iterator[tuple[str, Pair]]:
    algorithm = signal.algorithm
    if algorithm.a is not None and algorithm.A is not None:
        yield f"{path}.algorithm", (algorithm.a, algorithm.A)
    for i, row in enumerate(algorithm.table, start=1):
        yield f"{path}.algorithm.table[{i}]", (row.a, row.A)
