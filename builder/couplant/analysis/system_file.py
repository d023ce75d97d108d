"""From a SYSTEM.toml, whose numbers may be formulas such as ``"-c2/m2"``, to the coupled system that it describes."""

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from couplant.analysis.algorithms import LinearAlgorithm, Recursive, generic, hermite, lead_by
from couplant.analysis.phasor import ONLY_FIXED, Phasor
from couplant.analysis.senders import Weights, with_models
from couplant.analysis.system import Connection, Excitation, Prototype, System, driven_outputs, transfer_prototype
from couplant.base.errors import UsageError
from couplant.base.grid import MOST_MICRO_STEPS, micro_steps_in
from couplant.config.frame.read import Content, Source, check, read_source, refuse, source_name
from couplant.config.frame.sentences import require_kind
from couplant.config.hosts import JACOBI, Way, host_leads
from couplant.config.latency import BY_DEFAULT, OF_MODELS, proposed_hold_lead
from couplant.config.models import MODEL
from couplant.config.network import Seconds, steps_in
from couplant.config.ref import Ref
from couplant.config.system import ConnectionTable, PhasorTable, PrototypeTable, SystemTable, WeightsTable

_BINARY: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_UNARY: dict[type, Callable[[float], float]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_FUNCTIONS = {"sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "exp": math.exp}
_LONGEST = 500


def read_system(path: Source, assignments: Sequence[str] = (), steps: int | Seconds | None = None) -> System:
    """Read a coupled system from a TOML file, or a mapping in its place, changed by `assignments` ``key=TOML value``.

    The latency of all connections is `steps` in place of what the file says, macro steps or a time, if they are given.
    Raises UsageError if the file cannot be read or something in it is wrong: every wrong key in one message.
    """
    document, origin = read_source(path, assignments), source_name(path)
    found = parse_system(document, origin)
    if steps is None:
        return found
    return parse_system(with_latency(document, {"latency_steps": steps_in(steps, found.macro_step)}), origin)


def with_latency(document: Content, steps: Content) -> Content:
    """Return a `document` with the latency `steps` at its top and in no connection; itself if they are empty."""
    bare = [{key: value for key, value in one.items() if key != "latency_steps"} for one in document["connections"]]
    return {**document, **steps, "connections": bare} if steps else document


def parse_system(document: Content, origin: str | Path) -> System:
    """Return a coupled system from the content of a SYSTEM.toml; `origin` is the name of the file, for messages.

    Raises UsageError if something is wrong: every wrong key in one message.
    """
    require_kind(document, "prototypes", origin)
    checked = check(SystemTable, document, origin)
    try:
        return _system(checked)
    except UsageError as error:
        refuse(origin, [str(error)])


def _system(document: SystemTable) -> System:
    def vary(rng: np.random.Generator, spread: float) -> tuple[Prototype, ...]:
        nominal = document.parameters
        return _prototypes(document, {n: v * (1 + spread * rng.uniform(-1, 1)) for n, v in nominal.items()})

    prototypes = _prototypes(document, document.parameters)
    ways = {c.target: Way(Ref.parse(c.source), (), (Ref.parse(c.target),)) for c in document.connections}
    paths = {
        Ref(one.name, output): {Ref(one.name, i) for i in acting}
        for one in prototypes
        for output, acting in one.acting().items()
    }
    added = {n: lead.steps / _micro_steps(document) for n, lead in host_leads(document.host, ways, paths).items()}
    connections = tuple(_connection(c, document, added[c.target]) for c in document.connections)
    modelled = [c.target for c in document.connections if (c.algorithm or document.algorithm) == MODEL]
    stale = driven_outputs(prototypes, connections) if document.host == JACOBI else ()
    vary_parameters = vary if document.parameters else None
    excited = document.excitation.items()
    one = System(
        prototypes, connections, document.macro_step, document.timing, vary_parameters, stale,
        {n: Excitation(tuple(e.states), e.deviation, e.bandwidth, e.lags) for n, e in excited}, document.noise,
        _micro_steps(document),
    )  # fmt: skip
    return with_models(one, _weights(document, prototypes), document.host == JACOBI, modelled) if modelled else one


def _micro_steps(document: SystemTable) -> int:
    """Return the communication steps in a macro step; in event timing they do not matter."""
    if document.micro_step is None or document.timing == "event":
        return 1
    count = micro_steps_in(document.macro_step, document.micro_step)
    if not 1 <= count <= MOST_MICRO_STEPS:
        allowed = f"allowed the macro step over a whole number from 1 to {MOST_MICRO_STEPS}"
        raise UsageError(f"micro_step = {document.micro_step:g} s, {allowed}")
    return count


def _weights(document: SystemTable, prototypes: Sequence[Prototype]) -> dict[str, Weights]:
    """Return the weights of the observers by prototype, the usual ones where nothing is said."""
    names = [one.name for one in prototypes]
    unknown = next((name for name in document.models if name not in names), None)
    if unknown is not None:
        raise UsageError(f"models.{unknown}: there is no such prototype, allowed {', '.join(names)}")
    return {name: Weights(**document.models[name].model_dump() if name in document.models else {}) for name in names}


def _prototypes(document: SystemTable, parameters: Mapping[str, float]) -> tuple[Prototype, ...]:
    return tuple(prototype(name, p, parameters) for name, p in document.prototypes.items())


def prototype(name: str, section: PrototypeTable, parameters: Mapping[str, float]) -> Prototype:
    """Return the prototype `name` that a table describes; its expressions know the `parameters`, in their own units.

    Raises UsageError if the table is incomplete, an expression is wrong, or shapes do not fit.
    """
    names = {"inputs": tuple(section.inputs), "outputs": tuple(section.outputs)}
    try:
        if section.numerator is not None and section.denominator is not None:
            fraction = _numbers(section.numerator, parameters), _numbers(section.denominator, parameters)
            return transfer_prototype(name, *fraction, **names)
        if section.A is None or section.B is None or section.C is None:
            raise UsageError("needs A, B, C (and D), or numerator and denominator")
        A, B, C = (_numbers(m, parameters) for m in (section.A, section.B, section.C))
        D = _numbers(section.D, parameters) if section.D else np.zeros((len(C), len(B[0]) if B else 0))
    except UsageError as error:
        raise UsageError(f"prototypes.{name}: {error}") from None
    return Prototype(name, A, B, C, D, **names)


def _numbers(value: Any, parameters: Mapping[str, float]) -> Any:
    if isinstance(value, list):
        return [_numbers(v, parameters) for v in value]
    return evaluate(value, parameters)


def _connection(section: ConnectionTable, document: SystemTable, added: float) -> Connection:
    choice = section.algorithm or document.algorithm
    k = document.latency_steps if section.latency_steps is None else section.latency_steps
    by_model, hold_lead = choice == MODEL, document.hold_lead
    host = added * (not by_model) if section.host_lead is None else section.host_lead
    if document.timing == "step" and "hold_lead" not in document.model_fields_set:
        proposed = proposed_hold_lead(str(choice), k + host) if choice in BY_DEFAULT and host > 0.0 else 0.0
        own = OF_MODELS if by_model else proposed
        hold_lead = own / _micro_steps(document)  # what is held is held for a communication step
    lead = host + (hold_lead if section.hold_lead is None else section.hold_lead)
    derivative, held = section.derivative, section.reconstruction == "hold"
    if by_model:
        return Connection(section.source, section.target, generic("zoh", k), held, lead, derivative)
    if derivative is None and (choice == "linear" or (isinstance(choice, WeightsTable) and choice.b)):
        needed = 'needed with algorithm = "linear" and with weights b'
        raise UsageError(f"connection to {section.target}: derivative is missing, {needed}")
    chosen = lead_by(lambda ahead: _algorithm(choice, ahead, document.macro_step), k, lead)
    return Connection(section.source, section.target, chosen, held, lead, derivative)


def _algorithm(choice: str | WeightsTable | PhasorTable, ahead: int, macro_step: float) -> Recursive:
    if isinstance(choice, str):
        return hermite(ahead) if choice == "linear" else generic(choice, ahead)
    if isinstance(choice, PhasorTable):
        if choice.follow != "off":
            raise UsageError(ONLY_FIXED)
        return Phasor(ahead, choice.frequency * macro_step, choice.harmonics)
    if choice.steps not in (None, ahead):
        raise UsageError(f"algorithm.steps = {choice.steps}, allowed the latency with its leads, {ahead} macro steps")
    return LinearAlgorithm(ahead, tuple(choice.a), tuple(choice.A), b=tuple(choice.b or ()), B=tuple(choice.B or ()))


def evaluate(text: str | float, parameters: Mapping[str, float]) -> float:
    """Return the value of `text`, a number or a formula.

    A formula is made of numbers, `parameters`, pi, + - * / **, parentheses, sqrt, sin, cos, exp. Raises UsageError if
    it is not such a formula, names something unknown, or has no finite value.
    """
    number = isinstance(text, (int, float)) and not isinstance(text, bool)
    try:
        value = float(text) if number else _value(_parse(text), {"pi": math.pi, **parameters})
    except UsageError:
        raise
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        value = math.nan
    if not isinstance(value, float) or not math.isfinite(value):
        raise UsageError(f"{text!r} has no finite value")
    return value


@lru_cache(maxsize=4096)
def _parse(text: str | float) -> ast.expr:
    try:
        if not isinstance(text, str) or len(text) > _LONGEST:
            raise SyntaxError
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise UsageError(f"{str(text)[:60]!r} is not a formula") from None


def _value(node: ast.expr, names: Mapping[str, float]) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return float(node.value)
    if isinstance(node, ast.Name):
        if node.id not in names:
            raise UsageError(f"{node.id!r} is not a parameter, allowed {', '.join(sorted(names))}")
        return float(names[node.id])
    if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        return _BINARY[type(node.op)](_value(node.left, names), _value(node.right, names))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
        return _UNARY[type(node.op)](_value(node.operand, names))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
        if len(node.args) == 1 and not node.keywords:
            return _FUNCTIONS[node.func.id](_value(node.args[0], names))
    raise UsageError(
        f"{ast.unparse(node)!r} is not allowed in a formula: numbers, names, + - * / **, ( ), sqrt sin cos exp"
    )
