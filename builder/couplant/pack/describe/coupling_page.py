"""Page and terminals of a coupling FMU: its work with these settings, and how to connect it."""

from couplant.base.style import label, macro_steps
from couplant.config.hosts import JACOBI, READS_AGAIN, SEQUENTIAL
from couplant.config.interface import Interface, Signal
from couplant.pack.describe.shown import Shown, Terminal
from couplant.pack.describe.xml import Capabilities, ModelDescription

_MEMBERS = {"y": "value", "y_time": "stamp", "y_valid": "valid", "y_echo": "echo"}
"""Members of the terminal of what is received, as networks call what they give out."""
_ESTIMATE = {"y_hat": "value", "debug.slope": "slope_per_macro_step"}
_HOSTS = {
    READS_AGAIN: "made for importers that read outputs again once inputs are set (OMSimulator)",
    JACOBI: "made for importers that set all inputs, step everything and read all outputs (libcosim, Ecos, PyFMI)",
    SEQUENTIAL: "made for importers that step one component after the other, in the order that it was built for",
}
_STEP = (
    "The estimate is for the end of the communication step. Outputs declare no dependence on inputs, so that no "
    "importer sees an algebraic loop."
)
_EVENT = {
    False: "For importers that set inputs and read outputs again at the same time, before they step; in others "
    "`y_hat` is a macro step late.",
    True: "For importers that use Event Mode: inputs are set and outputs read there. Without it the estimate is for "
    "the end of the step.",
}
_FIRST_RUN = (
    "Begin with `bypass` = true: `y_hat` is then `y`, and everything else runs. `quality.skill` is 1 for perfect "
    "estimates, 0 as good as no FMU (the value as it came). Above 0 switch `bypass` off, below 0 take the FMU out."
)

MARK = "`"
PLAIN = "\0"  # what the page shows as a `MARK`; one that stands there itself begins or ends code


def coupling_page(
    interface: Interface, signal: str, description: ModelDescription, capabilities: Capabilities
) -> Shown:
    """Return the page of the coupling FMU of a `signal`, whose backend has `capabilities`."""
    section = interface.signals[signal]
    names = [variable.name for variable in description.variables]
    inputs = [variable.name for variable in description.variables if variable.causality == "input"]
    messages = [name for name in inputs if name.partition("[")[0] in _MEMBERS]
    source = f"{_plain(section.source)} over the network" if section.source else "network"
    target = ", ".join(map(_plain, section.to)) or "prototype"
    sent = [f"`{one}`" for one in messages if "[" not in one] + [".."] * (section.burst > 1)
    return Shown(
        kind=f"coupling FMU of signal `{signal}` of interface `{interface.name}`",
        what=_what(signal, section),
        facts=_facts(interface, section),
        flow=[source, " ".join(sent), description.name, "`y_hat`", target],
        connect=_connect(interface, section, inputs, capabilities),
        terminals=(
            Terminal("received", "What arrives", {name: _member(name) for name in messages}),
            Terminal("estimate", "What it is now", {name: _ESTIMATE[name] for name in _ESTIMATE if name in names}),
        ),
    )


def _member(name: str) -> str:
    base, bracket, rest = name.partition("[")
    return _MEMBERS[base] + bracket + rest


def _what(name: str, signal: Signal) -> str:
    k = signal.latency.constant_steps
    if signal.latency.mode != "constant":
        return f"Tells what {name} is now, though it arrives late: stamps tell by how much"
    return f"Tells what {name} is now, though it arrives {macro_steps(k)} late" if k else f"Continues {name} to now"


def _facts(interface: Interface, signal: Signal) -> dict[str, str]:
    latency, output = signal.latency, signal.output
    k, step = latency.constant_steps, interface.macro_step
    told = f"{macro_steps(k)}{f', {k * step:g} s' if step else ''}" if latency.mode == "constant" else "by stamps"
    limits = {"from": "min", "up to": "max", "at most, per s": "rate_max"}
    given = [f"{words} {getattr(output, key):g}" for words, key in limits.items() if key in output.model_fields_set]
    return {
        "algorithm": label(signal.algorithm.selected),
        "latency": told,
        "macro step": f"{step:g} s" if step else "the importer's first step",
        "communication step": f"{interface.communication_step:g} s" if step else "the importer's first step",
        "timing": interface.timing,
        "importer": interface.host or READS_AGAIN,
        "unit": _plain(signal.unit),
        "limits": ", ".join(given) or "none",
    }


def _plain(text: object) -> str:
    """Return a text of a user as the page shows it letter by letter."""
    return str(text).replace(MARK, PLAIN)


def _connect(interface: Interface, signal: Signal, inputs: list[str], capabilities: Capabilities) -> dict[str, str]:
    more = [name for name in inputs if name.partition("[")[0] not in _MEMBERS]
    host, lead = interface.host or READS_AGAIN, signal.latency.host_lead
    added = f" What it adds, {lead:g} macro step{'' if lead == 1.0 else 's'}, is made up for." if lead else ""
    found = {
        "place": "Between the network and the input of the prototype: what was received goes to `y`, `y_hat` to the "
        "prototype.",
        "stamps": _stamps(signal),
        "news": "`y_valid` is false at a communication point at which nothing new has arrived. Unconnected it is true.",
        "bursts": f"`y[2]` to `y[{signal.burst}]`, with `y_time[i]` and `y_valid[i]`: earlier values that a message "
        "repeats.",
        "more inputs": f"{', '.join(f'`{name}`' for name in more)}: see the table of inputs.",
        "communication step": _step(interface),
        "timing": _EVENT[capabilities.event_mode] if interface.timing == "event" else _STEP,
        "importer": f"`{host}`: {_HOSTS[host]}.{added} `couplant probe` finds out what an importer does.",
        "Python": "The importer must be able to load CPython, or run in it.",
        "first run": _FIRST_RUN,
        "limits": "There are none: `output.min`, `output.max` and `output.rate_max` protect the prototype.",
    }
    limited = signal.output.model_fields_set & {"min", "max", "rate_max"}
    wanted = {"bursts": signal.burst > 1, "more inputs": more, "Python": capabilities.needs_execution_tool}
    wanted |= {"limits": not limited, "stamps": "y_time" in inputs}
    return {about: text for about, text in found.items() if wanted.get(about, True)}


def _stamps(signal: Signal) -> str:
    if signal.latency.mode == "constant":
        return "`y_time` is not looked at with a constant latency: it stays unconnected."
    clock = "sender's" if signal.latency.clock == "free" else "receiver's"
    sent = "`y_time` is when the value on `y` was sent, in s"
    if signal.latency.mode != "round_trip":
        return f"{sent} of the {clock} clock."
    return f"{sent} of the sender's clock; `y_echo` is when the newest message that the sender then had was sent here."


def _step(interface: Interface) -> str:
    if not interface.macro_step:
        return "Always the same; the first one becomes the macro step."
    step = f"Made for {interface.communication_step:g} s; {interface.macro_step:g} s and its whole parts are allowed."
    if interface.timing != "step":
        return f"{step} In a loop smaller is better, if the prototypes can step as often."
    told = "The FMU foresees one communication step more than the signal is late, which a plain wire does not"
    finer = f": step it at {interface.macro_step / 10:g} s, or as the prototype steps"
    return f"{step} {told}{finer if interface.could_step_finer else ''}."
