"""The border: which values the variables of an FMU may take. Inside, the stages trust them."""

from collections.abc import Sequence

from .algorithms import ROWS
from .config import Settings
from .errors import ParameterRefused
from .generated.constants import LEAST_LEAD, TINY
from .generated.numbers import CONSTANT, ROUND_TRIP
from .generated.variables import ALL
from .guard import UNLIMITED
from .state import State
from .variable import Variable
from .variables import items


def get_value(s: State, variable: Variable) -> float:
    """Return the value of `variable` in the state `s`."""
    value = getattr(getattr(s, variable.record), variable.field)
    return value if variable.index < 0 else value[variable.index]  # type: ignore[no-any-return]    # by name


def set_values(
    c: Settings, s: State, pairs: Sequence[tuple[Variable, float]], running: bool
) -> tuple[list[str], bool]:
    """Set the inputs and parameters of one call, `pairs` of a variable and its value.

    Inputs take anything, the pipeline judges them. Parameters are checked when initialisation ends,
    enumerations at once; once the FMU is
    `running` a tunable one that is out of range keeps its old value, and all of the call do if they do not fit each
    other or the rest.

    Returns
    -------
    list of str
        What was refused and why.
    bool
        Anything was set: the outputs have to be worked out anew.
    """
    tuned = [(variable, get_value(s, variable)) for variable, _ in pairs if running and variable.role == "tunable"]
    refused, accepted = [], []
    for variable, value in pairs:
        # hosts that write all parameters again change none
        if running and variable.role == "fixed" and value == get_value(s, variable):
            continue
        try:
            _set_value(c, s, variable, value, running)
            accepted.append(variable)
        except ParameterRefused as problem:
            refused.append(str(problem))
    if tuned:
        try:
            check_start(c, s)
        except ParameterRefused as problem:
            refused.append(str(problem))
            accepted = [variable for variable in accepted if variable.role != "tunable"]
            for variable, before in tuned:
                put_value(s, variable, before)
    return refused, bool(accepted)


def _set_value(c: Settings, s: State, variable: Variable, value: float, running: bool) -> None:
    if variable.start is None:
        raise ParameterRefused(f"{variable.name} is an output and cannot be set")
    if running and variable.role == "fixed":
        raise ParameterRefused(f"{variable.name} is fixed and cannot be set after initialisation")
    if variable.kind == "enumeration" or (running and variable.role == "tunable"):
        _check_range(c, variable, value)
    put_value(s, variable, value)


def check_hidden(c: Settings, s: State) -> None:
    """Check the parameters that the FMU does not show, which have their start values.

    Raises
    ------
    ParameterRefused
        With variable, value and range of the first one that is wrong.
    """
    shown, records = set(c.chosen), set(s.names())
    for position, variable in enumerate(ALL, start=1):
        hidden = position not in shown and variable.record in records
        if hidden and variable.causality == "parameter":
            _check_range(c, variable, get_value(s, variable))


def check_start(c: Settings, s: State) -> None:
    """Check all parameters, at the end of initialisation and whenever some were changed.

    Raises
    ------
    ParameterRefused
        With variable, value and range of the first one that is wrong.
    """
    for variable in c.variables():
        if variable.causality == "parameter":
            _check_range(c, variable, get_value(s, variable))
    _check_together(c, s)


def put_value(s: State, variable: Variable, value: float) -> None:
    """Write the `value` of `variable` into the state, without any check."""
    record = getattr(s, variable.record)
    if variable.index < 0:
        setattr(record, variable.field, value)
    else:
        getattr(record, variable.field)[variable.index] = value


def _check_range(c: Settings, variable: Variable, value: float) -> None:
    if variable.kind == "enumeration":
        known = items(variable.items, c.compared)
        if value in known.values():
            return
        allowed = ", ".join(f"{number} ({name})" for name, number in known.items())
        raise ParameterRefused(f"{variable.name} = {value}, allowed {allowed}")
    if not variable.minimum <= value <= variable.maximum:
        raise ParameterRefused(f"{variable.name} = {value}, allowed {allowed_range(variable)}")


def allowed_range(variable: Variable) -> str:
    """Return the range of a numeric `variable` in words."""
    low = f"{variable.minimum:g}" if variable.minimum > -UNLIMITED else ""
    high = f"{variable.maximum:g}" if variable.maximum < UNLIMITED else ""
    if low and high:
        return f"{low} to {high}"
    return f"{low} or more" if low else "any finite number"


def _check_together(c: Settings, s: State) -> None:
    given = s.parameter
    if given.output_min > given.output_max:
        raise ParameterRefused(f"output.min = {given.output_min}, allowed up to output.max = {given.output_max}")
    if given.lost_steps < given.coast_steps:
        allowed = f"latency.coast_steps = {given.coast_steps} or more"
        raise ParameterRefused(f"latency.lost_steps = {given.lost_steps}, allowed {allowed}")
    _check_lead(s)
    row = ROWS[given.selected]
    selected = f"algorithm.selected = {row.number} ({row.name})"
    if not c.has(row.needs):
        built = {"weights": "weights", "neural": "a network", "plant": "a model"}.get(row.needs, "it")
        raise ParameterRefused(f"{selected}, allowed only in an FMU built with {built}")
    if given.detection and row.carries_state:
        raise ParameterRefused(f"{selected}, allowed only with discontinuity.enabled = false")
    if given.latency_mode == ROUND_TRIP and "echo" not in c.features:
        raise ParameterRefused("latency.mode = 4 (round_trip), allowed only in an FMU built with it")
    if c.event and not given.macro_step > 0.0:
        raise ParameterRefused(f"macro_step = {given.macro_step} s, allowed above 0 with event timing")


def _check_lead(s: State) -> None:
    """Refuse an estimate for a time too long before the newest value; its age counts where it is known."""
    given = s.parameter
    offset = f"latency.offset = {given.latency_offset} s"
    if given.latency_offset < 0.0 and not given.macro_step > 0.0:
        raise ParameterRefused(f"{offset}, allowed 0 or more with macro_step = 0, where latency.host_lead can be less")
    lead = given.host_lead + given.hold_lead
    if given.macro_step > 0.0:
        lead = given.latency_offset / given.macro_step + lead
    if given.latency_mode == CONSTANT:
        lead = given.constant_steps + lead
    if not lead >= LEAST_LEAD - TINY:
        leads = f"latency.host_lead = {given.host_lead} and latency.hold_lead = {given.hold_lead}"
        raise ParameterRefused(f"{offset}, {leads} make the lead {lead} macro steps, allowed {LEAST_LEAD:g} or more")
