"""Rules for power bonds, and their ends in a checked file."""

from collections.abc import Iterator, Mapping

from couplant.base.units import SYMBOLS, unit_of
from couplant.base.written import real
from couplant.config.bonds import DISPLACEMENT, VELOCITY, Bond, bond_end
from couplant.config.frame.sentences import Problem
from couplant.config.hosts import READS_AGAIN
from couplant.config.interface import Bonded, Common, Document, Interface, Signal

_WATT = {"kg": 1, "m": 2, "s": -3}
_SAME = 1e-9  # share by which a product may differ from 1 W that is 1 W [-]
_PER_SECOND = {DISPLACEMENT: "/s", VELOCITY: ""}


def bond_problems(document: Document) -> Iterator[Problem]:
    """Return the problems of the bonds of a file."""
    seen: dict[str, str] = {}
    for name, bond in document.bonds.items():
        path = f"bonds.{name}"
        both = (f"{path}.effort", f"{path}.flow")
        if not _ends(bond):
            yield Problem(f"{path} has neither effort nor flow, allowed at least one of them", both)
        elif bond.effort == bond.flow:
            yield Problem(f'{path}.flow = "{bond.flow}", allowed another signal than the effort', both)
        for key, signal in (("effort", bond.effort), ("flow", bond.flow)):
            if signal is not None and signal not in document.signals:
                yield Problem(
                    f'{path}.{key} = "{signal}", allowed {", ".join(document.signals)}', (f"{path}.{key}", "signals")
                )
        if bond.take_back > 0.0 and bond.effort is None:
            text = f"{path}.take_back = {real(bond.take_back)}, allowed 0 without effort"
            yield Problem(f"{text}: energy is taken back from the effort", (f"{path}.take_back", f"{path}.effort"))
        flow = document.signals.get(bond.flow or "")
        if flow is not None and flow.signal.period > 0.0 and bond.flow_is == DISPLACEMENT:
            text = f"{path}.flow wraps round: signals.{bond.flow}.signal.period = {real(flow.signal.period)}, allowed 0"
            yield Problem(text, (f"{path}.flow", f"{path}.flow_is", f"signals.{bond.flow}.signal.period"))
        for signal in dict.fromkeys(_ends(bond)):
            other = seen.setdefault(signal, path)
            if other != path:
                text = f"signals.{signal} is in {other} and in {path}, allowed one bond a signal"
                yield Problem(text, (other, path))


def _ends(bond: Bond) -> list[str]:
    return [signal for signal in (bond.effort, bond.flow) if signal is not None]


def with_bond_ends(signals: Mapping[str, Signal], bonds: Mapping[str, Bond], common: Common) -> dict[str, Signal]:
    """Return the signals, those of a bond with its end."""
    found = dict(signals)
    for bond in bonds.values():
        for name, other in ((bond.effort, bond.flow), (bond.flow, bond.effort)):
            if name is not None:
                partner = signals[other].unit if other is not None else ""
                end = bond_end(bond, name, partner, stale=common.host != READS_AGAIN)
                found[name] = Bonded.grown_from(signals[name], {"energy": end})
    return found


def bond_advice(interface: Interface) -> Iterator[str]:
    """Return a sentence for each setting that is allowed and likely to be a mistake."""
    for name, bond in interface.bonds.items():
        for signal in _ends(bond):
            if interface.signals[signal].quality.action == "hold":
                yield (
                    f"signals.{signal}.quality.action = hold gives out the newest value while bonds.{name} creates "
                    "energy, and a held value creates more: use warn or stop."
                )
        if bond.effort is not None and bond.flow is not None:
            effort, flow = (interface.signals[signal].unit for signal in (bond.effort, bond.flow))
            yield from unit_advice(f"bonds.{name}", effort, flow, bond.flow_is)
        if bond.flow is not None and hides_jumps(bond):
            yield (
                f"bonds.{name}.stiffness is not set: where the receiver of {bond.flow} swings with omega dT above 0.1, "
                "jumps give energy that the budget does not see; give the stiffness of the coupling spring, or 0 for "
                "slower ones."
            )
        if bond.flow is not None and begins_unseen(bond):
            yield (
                f"bonds.{name}.stiffness is not set: the budget bounds what is created where the receiver of "
                f"{bond.flow} has neither play nor stops; for contacts give the stiffness of the stiffest one, rather "
                "too much than too little, or 0 if there are none."
            )
        if bond.budget > 0.0 and len(_ends(bond)) == 1:
            missing = "flow" if bond.flow is None else "effort"
            yield (
                f"bonds.{name}.budget guards this end only: the energy created is bounded if the end of the {missing} "
                "has a budget too and both exchange energy.passed."
            )


def begins_unseen(bond: Bond) -> bool:
    """Tell whether a budget is to hold although nobody has said how stiff what a velocity may run into is."""
    return bond.budget > 0.0 and bond.flow_is == VELOCITY and "stiffness" not in bond.model_fields_set


def hides_jumps(bond: Bond) -> bool:
    """Tell whether a budget is to hold although nobody has said what jumps of the displacement do to the effort."""
    return bond.budget > 0.0 and bond.flow_is == DISPLACEMENT and "stiffness" not in bond.model_fields_set


def unit_advice(path: str, effort: str, flow: str, flow_is: str) -> Iterator[str]:
    """Yield a sentence, after `path`, where the product of two units is not W; an angle counts as 1."""
    known = unit_of(effort), unit_of(flow)
    if known[0] is None or known[1] is None:
        return
    powers = dict.fromkeys(SYMBOLS, 0) | ({"s": -1} if flow_is == DISPLACEMENT else {})
    for unit in known:
        for symbol, power in unit.exponents if unit else ():
            powers[symbol] += power
    factor, product = known[0].factor * known[1].factor, f"{effort} times {flow}{_PER_SECOND[flow_is]}"
    if any(powers[symbol] != _WATT.get(symbol, 0) for symbol in SYMBOLS if symbol != "rad"):
        yield f"{path}: {product} is no power: energies and the budget have no unit."
    elif abs(factor - 1.0) > _SAME * max(factor, 1.0):
        yield f"{path}: {product} is {factor:.6g} W: energies and the budget count in units of {factor:.6g} J."
