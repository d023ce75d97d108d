"""Models of prototypes, for the algorithm ``model``: what sends signals, and what the signals sent to it do to it."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from couplant.config.frame.read import Flag, OneOf, Real, Table, Text, Whole, allow
from couplant.config.frame.sentences import Problem
from couplant.config.parameters import setting
from couplant_runtime.generated.numbers import COMPANIONS, PLANT_INPUTS, PLANT_STATES
from couplant_runtime.plant import FALLBACKS

MODEL = "model"  # the algorithm that needs one
AUTO = "auto"  # that which blends others
PHASOR = "phasor"  # the algorithm of periodic signals

_Matrix = Annotated[tuple[tuple[Real, ...], ...], Field(min_length=1), allow("rows of finite numbers")]
_Column = Annotated[tuple[Real, ...], Field(min_length=1), allow("a list of finite numbers")]
_Noise = Annotated[tuple[Annotated[Real, Field(gt=0.0)], ...], Field(min_length=1), allow("a list of numbers above 0")]


class Observer(Table):
    """Parts of the observer of a linear prototype besides its matrices.

    w is what excites the prototype besides u: white noise that passes `order` integrators with the `leak`.
    """

    disturbance: _Column | None = setting(None, "b: how w acts on the states; not given: as the first input")
    order: Whole = setting(1, "integrators that w passes: 1 nearly constant, 2 nearly a ramp [-]", ge=1, le=2)
    leak: Real = setting(0.0, "of these integrators; above 0 where w cannot be told from the outputs [1/s]", ge=0.0)
    drive: Real = setting(1.0, "spectral density of the noise that drives w [unit of w squared per s]", gt=0.0)
    process: Real = setting(1e-6, "noise that acts on the states directly, as w does, over the drive [-]", gt=0.0)
    noise: _Noise = setting((0.01,), "standard deviation of the noise of the outputs, one for all or each")
    echo: Flag = setting(True, "messages tell what the prototype was given: no loop through its own estimates")


class Model(Observer):
    """A linear model of a prototype, x' = A x + B u + b w, y = C x + D u, and the observer that follows it.

    Shapes: A[N, N], B[N, m], C[p, N], D[p, m]; m inputs, p outputs.
    """

    A: _Matrix = Field(description="of the states x [1/s]")
    B: _Matrix = Field(description="of the inputs u")
    C: _Matrix = Field(description="of the outputs y")
    D: _Matrix | None = setting(None, "of the inputs in the outputs, not given: 0")
    inputs: tuple[Text, ...] = Field(description="signals that go to the prototype: u", min_length=1)
    outputs: tuple[Text, ...] = Field(description="signals that it sends: y; each message carries all", min_length=1)
    stale: Flag = setting(False, "the host reads outputs before it sets inputs: D acts on inputs a step old")
    late: Flag = setting(False, "event timing: the inputs of a macro point follow from the estimate for it")
    fallback: Annotated[str, OneOf(tuple(FALLBACKS))] = setting(
        "auto", "what runs while the model is wrong; model: it stays, where neither of the others is stable in the loop"
    )


def model_of(models: Mapping[str, Model], signal: str) -> Model | None:
    """Return the model of the prototype that sends a signal, None where there is none."""
    return next((model for model in models.values() if signal in model.outputs), None)


def companions(model: Model, signal: str) -> list[str]:
    """Return the other outputs of the prototype that sends a signal, in their order."""
    return [output for output in model.outputs if output != signal]


def model_problems(models: Mapping[str, Model]) -> Iterator[Problem]:
    """Yield problems of models whose keys are right one by one."""
    sent: dict[str, str] = {}
    for name, model in models.items():
        path = f"models.{name}"
        n, m, p = len(model.A), len(model.inputs), len(model.outputs)
        shapes = {"A": (model.A, n, n), "B": (model.B, n, m), "C": (model.C, p, n)}
        shapes |= {"D": (model.D, p, m)} if model.D is not None else {}
        for key, (matrix, rows, columns) in shapes.items():
            found = sorted({len(row) for row in matrix})
            if len(matrix) != rows or found != [columns]:
                has = f"{len(matrix)} rows of {' and '.join(map(str, found))}"
                yield Problem(f"{path}.{key} has {has}, allowed {rows} of {columns}", (f"{path}.{key}",))
        for key, count, most in (("inputs", m, PLANT_INPUTS), ("outputs", p, COMPANIONS + 1)):
            if count > most:
                yield Problem(f"{path}.{key} has {count} signals, allowed {most} at most", (f"{path}.{key}",))
        if model.disturbance is not None and len(model.disturbance) != n:
            text = f"{path}.disturbance has {len(model.disturbance)} numbers, allowed {n}"
            yield Problem(text, (f"{path}.disturbance",))
        if len(model.noise) not in (1, p):
            yield Problem(f"{path}.noise has {len(model.noise)} numbers, allowed 1 or {p}", (f"{path}.noise",))
        states = len(model.A) + model.order
        if states > PLANT_STATES:
            text = f"{path}.A has {len(model.A)} rows, allowed {PLANT_STATES - model.order} with order = {model.order}"
            yield Problem(text, (f"{path}.A", f"{path}.order"))
        for signal in model.outputs:
            other = sent.setdefault(signal, path)
            if other != path:
                yield Problem(f"{path}.outputs has {signal}, which {other} has too", (f"{path}.outputs",))
