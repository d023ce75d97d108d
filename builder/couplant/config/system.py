"""SYSTEM.toml: the tables of a coupled system, prototypes, connections and parameters (docs/system.md)."""

from typing import Annotated

from pydantic import Field

from couplant.config.frame.read import OneOf, Real, Table, Text, Whole, allow
from couplant.config.hosts import JACOBI, READS_AGAIN
from couplant.config.interface import MAX_STEPS, Timing
from couplant.config.models import MODEL, PHASOR, Observer
from couplant.config.parameters import setting
from couplant_runtime.algorithms import GENERIC

_Entry = Real | Text
_Matrix = Annotated[list[list[_Entry]], allow("rows of numbers, or of expressions in the parameters")]
_Polynomials = Annotated[
    list[_Entry] | list[list[list[_Entry]]],
    allow("coefficients, numbers or expressions in the parameters; for several ports rows of such lists"),
]
_Name = Annotated[
    str,
    Field(strict=True, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"),
    allow("a letter, then letters, digits and underscores"),
]
_Names = Annotated[tuple[_Name, ...], allow("a list of names: letters, digits and underscores")]
_Numbers = Annotated[list[Real], Field(min_length=1), allow("a list of finite numbers")]

_Share = Annotated[Real, Field(ge=0.0, lt=1.0)]
_Noise = Annotated[_Share | dict[str, _Share], allow("a number from 0 to below 1, or one for each prototype.output")]


class WeightsTable(Table):
    """Own weights for one latency, newest first."""

    a: _Numbers = Field(description="weights of the value, newest first [-]")
    A: _Numbers = Field(description="weights of the slope over a macro step, newest first [-]")
    b: _Numbers | None = setting(None, "weights of the derivative times the macro step, for the value [-]")
    B: _Numbers | None = setting(None, "the same for the slope [-]")
    steps: Whole | None = setting(
        None, "latency with its leads for which they hold; not given: that of the connection [-]", ge=0, le=MAX_STEPS
    )


class PhasorTable(Table):
    """Phasors of a periodic signal, with the keys of a settings file."""

    selected: Annotated[str, OneOf((PHASOR,))] = Field(description="the algorithm")
    frequency: Real = setting(50.0, "nominal frequency of the signal [Hz]", gt=0.0)
    harmonics: Whole = setting(13, "order of its highest harmonic [-]", ge=1, le=25)
    follow: Annotated[str, OneOf(("off", "frequency"))] = setting(
        "frequency", "what is learnt besides amplitudes and phases; theory covers off"
    )
    settling: Real = setting(3.5, "time in which the frequency is followed, over the latency [-]", gt=0.0)


_NAMED = (*GENERIC, "linear", MODEL)
_OWN = f'{{ a = [..], A = [..] }} or {{ selected = "{PHASOR}", frequency = .., follow = "off" }}'
_Choice = Annotated[
    Annotated[str, OneOf(_NAMED)] | WeightsTable | PhasorTable,
    allow(", ".join(f'"{name}"' for name in _NAMED) + f", {_OWN}"),
]


class PrototypeTable(Table):
    """A prototype: A, B, C and D, or numerator and denominator."""

    A: _Matrix | None = setting(None, "rows of the state matrix: numbers, or formulas of the parameters in quotes")
    B: _Matrix | None = setting(None, "rows of the input matrix")
    C: _Matrix | None = setting(None, "rows of the output matrix")
    D: _Matrix | None = setting(None, "rows of the matrix of direct feedthrough; not given: none")
    numerator: _Polynomials | None = setting(
        None, "of the transfer function, highest power of s first; of several ports rows of such lists"
    )
    denominator: _Polynomials | None = setting(None, "of the transfer function, highest power of s first")
    inputs: _Names = setting((), "names of the inputs; not given: u1, u2 and so on")
    outputs: _Names = setting((), "names of the outputs; not given: y1, y2 and so on")


class ExcitationTable(Table):
    """Excitation of a prototype that nobody measures: noise below a bandwidth."""

    states: _Numbers = Field(description="b: how it acts on each state, x' = A x + B u + b w")
    deviation: Real = Field(description="standard deviation of w", ge=0.0)
    bandwidth: Real = Field(description="of the lags that white noise passes to be w [rad/s]", gt=0.0)
    lags: Whole = setting(2, "first-order lags that it passes [-]", ge=1, le=2)


class ConnectionTable(Table):
    """A connection; what it does not say is that of the file."""

    source: Text = Field(alias="from", description="output of a prototype")
    target: Text = Field(alias="to", description="input of a prototype")
    derivative: Text | None = setting(
        None, 'output that is sent with it and is its derivative; "linear" has the usual weights of both'
    )
    algorithm: _Choice | None = setting(None, "as at the top; not given: that there")
    latency_steps: Whole | None = setting(None, "latency; not given: that at the top [macro steps]", ge=0, le=MAX_STEPS)
    reconstruction: Annotated[str, OneOf(("linear", "hold"))] = setting(
        "linear", "course of the estimate inside a macro step"
    )
    host_lead: Real | None = setting(None, "what the host adds; not given: by its kind [macro steps]")
    hold_lead: Real | None = setting(None, "lead for the receiver's hold; not given: that at the top [macro steps]")


class SystemTable(Table):
    """A file as it is written."""

    macro_step: Real = Field(gt=0, description="period of the data exchange [s]")
    timing: Timing = setting("step", "step: Jacobi, as most importers; event: values at macro points")
    host: Annotated[str, OneOf((READS_AGAIN, JACOBI))] = setting(
        READS_AGAIN, "importer: reads outputs again once inputs are set, or sets all and steps all"
    )
    hold_lead: Real = setting(0.0, "lead for the receiver's hold [macro steps]")
    algorithm: _Choice = setting("eros3", "of all connections, or own weights { a = [..], A = [..] }")
    latency_steps: Whole = setting(0, "latency of all connections [macro steps]", ge=0, le=MAX_STEPS)
    micro_step: Real | None = setting(None, "communication step in step timing, divides the macro step [s]", gt=0.0)
    noise: _Noise = setting(0.0, "noise of what is sent over the rms of the signal, of all or by output [-]")
    parameters: dict[_Name, Real] = Field(default_factory=dict, description="values of names in expressions")
    prototypes: dict[_Name, PrototypeTable] = Field(min_length=1, description="what is coupled")
    excitation: dict[_Name, ExcitationTable] = Field(
        default_factory=dict, description="what moves prototypes from outside"
    )
    connections: list[ConnectionTable] = Field(min_length=1, description="outputs with the inputs that they go to")
    models: dict[_Name, Observer] = Field(
        default_factory=dict, description="observers of prototypes, for model; the matrices are the prototype's own"
    )
