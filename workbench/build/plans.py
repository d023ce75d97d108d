"""A wiring as a plan that needs no names any more but those of variables: who is read, set and stepped, in which order.

Places in the values of an exchange are *slots*. Rows of `actions` have one of the keys

- ``read``, ``names``, ``slots``: outputs of a component are read into slots,
- ``write``, ``names``, ``slots``: inputs of a component are set from slots,
- ``early``, ``names``, ``before``, ``slopes``, ``part``: it steps, and after that part of it tells slopes of outputs,

whose value is the place of the component in `components`; those in `stepping` step after the exchange.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from couplant.config.ref import Ref
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.component import Clock, Component, RecordingComponent
from couplant.cosim.run.exchange import Action, Exchange
from couplant.cosim.run.master import Wiring
from couplant.cosim.wiring.components import LEADING, STATUS, Coupled
from couplant.cosim.wiring.links import coupling_name, network_name
from couplant.cosim.wiring.order import Value
from workbench.build.drafts import COUPLING, Draft

QUALITY = ("quality.error", "quality.tolerance", "quality.skill", "latency.steps")
"""Outputs of a coupling FMU that the page draws besides its estimate and `STATUS`."""

KNOBS: dict[str, dict[str, list[str]]] = {
    "network": {
        "latency.seconds": ["k", "macroStep"],
        "latency.jitter_steps": ["jitter"],
        "loss": ["loss"],
        "seed": ["seed"],
        "sample_time": ["macroStep"],
        "received.start": ["first"],
    },
    COUPLING: {"latency.constant_steps": ["k"], "macro_step": ["macroStep"]},
}
"""Parameters that knobs of the page change, by module: names of knobs whose product they are.

The knob `seed` is that of the scenario with the name of the signal, `first` what the sender of the signal begins with.
"""

Row = dict[str, Any]


@dataclass(frozen=True)
class _Act:
    """An action that is only described."""

    row: Row

    def __call__(self, t: float, h: float) -> None:
        """Do nothing."""


class _Described(Exchange):
    """An exchange that says what it would do."""

    def rows(self) -> list[Row]:
        return [action.row for action in self.point if isinstance(action, _Act)]

    def stepping(self) -> list[int]:
        return [i for i, name in enumerate(self.components) if name not in self._early]

    def _place(self, name: str) -> int:
        return list(self.components).index(name)

    def _read(self, name: str, refs: Sequence[Ref]) -> Action:
        slots = [self.slot(Value(ref)) for ref in refs]
        return _Act({"read": self._place(name), "names": [ref.variable for ref in refs], "slots": slots})

    def _write(self, name: str, targets: Sequence[Ref], sources: Mapping[Ref, Value]) -> Action:
        slots = [self.slot(sources[ref]) for ref in targets]
        return _Act({"write": self._place(name), "names": [ref.variable for ref in targets], "slots": slots})

    def _early_step(self, name: str, refs: Sequence[Ref]) -> Action:
        made: Any = super()._early_step(name, refs)
        row = {"early": self._place(name), "names": [ref.variable for ref in refs]}
        return _Act(row | {"before": made.before, "slopes": made.slopes, "part": made.part})


def coupled_plan(loaded: Loaded, wiring: Coupled) -> dict[str, Any]:
    """Return the plan of a run: besides the exchange what it shows of each signal.

    Returns
    -------
    dict
        In `signals` by name the slots `sent`, `received`, `valid` (without network both None) and `estimate`, and in
        `outputs` slots by name of output. `diverging` are the slots whose size ends a run, `logged` what is read after
        the communication step that begins at a macro point: `component`, `names`.
    """
    shown = {name: coupling_name(name) for name in loaded.scenario.signals}
    event = wiring.timing == "event"
    more = {n: [Ref(c, v) for v in QUALITY if v in wiring.components[c].ports] for n, c in shown.items()}
    watched = [*wiring.watched, *(ref for refs in more.values() for ref in refs if event)]
    exchange = _Described(wiring.components, wiring.links, watched)
    places = list(wiring.components)
    logged = [
        {"signal": name, "component": places.index(shown[name]), "names": [ref.variable for ref in refs]}
        for name, refs in more.items()
        if not event
    ]
    return _common(loaded, wiring, exchange) | {
        "microSteps": loaded.scenario.micro_steps,
        "signals": {name: _signal(loaded, exchange, watched, name) for name in shown},
        "diverging": [exchange.slot(Value(ref)) for ref in wiring.signals],
        "logged": logged,
    }


def direct_plan(loaded: Loaded, wiring: Wiring) -> dict[str, Any]:
    """Return the plan of the undelayed reference.

    Returns
    -------
    dict
        `links` are the slots of what inputs are set to, `courses` by component how: `sloped` and `plain` have the names
        of the inputs and the places of their links. `signals` are the slots that signals are judged against, `first`
        those of what senders begin with.
    """
    exchange = _Described(wiring.components, wiring.links, wiring.watched)
    tables = loaded.scenario.signals.items()
    return _common(loaded, wiring, exchange) | {
        "links": [exchange.slot(link.source) for link in wiring.links],
        "courses": list(_courses(wiring)),
        "signals": {name: exchange.slot(Value(table.judged_against)) for name, table in tables},
        "first": {name: exchange.slot(Value(table.source)) for name, table in tables},
    }


def _common(loaded: Loaded, wiring: Wiring, exchange: _Described) -> dict[str, Any]:
    components = [_component(loaded, one, wiring.parameters.get(name, {})) for name, one in wiring.components.items()]
    rows, slots = exchange.rows(), len(exchange.values)
    return {"components": components, "slots": slots, "actions": rows, "stepping": exchange.stepping()}


def _component(loaded: Loaded, one: Component, parameters: Mapping[str, Any]) -> Row:
    """Return what a component is, with its `parameters` as numbers or names of knobs."""
    if not isinstance(one, Draft):
        kinds = {RecordingComponent: "recording", Clock: "clock"}
        return {"name": one.name, "kind": kinds[type(one)]}
    row: Row = {"name": one.name, "kind": "fmu", "module": one.module, "coupling": one.module == COUPLING}
    of = {make(name): name for name in loaded.scenario.signals for make in (network_name, coupling_name)}
    knobs = KNOBS.get(one.module, {})
    if one.module == COUPLING and not loaded.networks[of[one.name]].is_constant:
        knobs = {name: factors for name, factors in knobs.items() if factors != ["k"]}  # stamps tell it
    given = {name: one.number(name, value) for name, value in parameters.items()}
    asked = {name: factors for name, factors in knobs.items() if name in parameters or one.module == COUPLING}
    return row | {"parameters": given | asked} | ({"signal": of[one.name]} if one.name in of else {})


def _signal(loaded: Loaded, exchange: Exchange, watched: Sequence[Ref], name: str) -> Row:
    coupling, network = coupling_name(name), network_name(name)
    outputs = [ref for ref in dict.fromkeys(watched) if ref.component == coupling]
    named = {ref.variable: exchange.slot(Value(ref)) for ref in outputs}
    arrives = not loaded.networks[name].is_absent
    received, valid = (exchange.slot(Value(Ref(network, v))) if arrives else None for v in ("received", "valid"))
    return {
        "sent": exchange.slot(Value(loaded.scenario.signals[name].source)),
        "received": received,
        "valid": valid,
        "estimate": named["y_hat"],
        "outputs": {key: slot for key, slot in named.items() if key in (*STATUS, LEADING, *QUALITY)},
    }


def _courses(wiring: Wiring) -> Iterator[Row]:
    """Yield how the inputs of each component follow a line, as `couplant.cosim.run.reference` sets them."""
    targets: dict[str, dict[str, int]] = {}
    for place, link in enumerate(wiring.links):
        targets.setdefault(link.target.component, {})[link.target.variable] = place
    for name, chosen in targets.items():
        ports = wiring.components[name].ports
        sloped = {f"{key}.slope": place for key, place in chosen.items() if f"{key}.slope" in ports}
        plain = {k: place for k, place in chosen.items() if ports[k].kind == "real" and f"{k}.slope" not in ports}
        yield {
            "component": list(wiring.components).index(name),
            "names": [*sloped, *plain],
            "sloped": list(sloped.values()),
            "plain": list(plain.values()),
        }
