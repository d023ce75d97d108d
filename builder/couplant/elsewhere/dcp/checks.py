"""Which request a slave refuses, and with which error code: tables 107 to 131 of the standard."""

from collections.abc import Callable
from fractions import Fraction
from ipaddress import IPv4Address
from typing import NamedTuple
from uuid import UUID

from couplant.elsewhere.dcp.codes import (
    MAJOR,
    MINOR,
    ON_NOTIFICATION,
    ON_REQUEST,
    PROTOCOLS,
    REQUESTS,
    UDP_IPV4,
    Fault,
    Mode,
    State,
)
from couplant.elsewhere.dcp.description import Variable
from couplant.elsewhere.dcp.pdu import Pdu
from couplant.elsewhere.dcp.setup import Setup
from couplant.elsewhere.dcp.values import NotFinite, converts, size_of, unpack_values

_IN_PROGRESS = {
    "STC_prepare": State.PREPARING, "STC_configure": State.CONFIGURING, "STC_initialize": State.INITIALIZING,
    "STC_do_step": State.COMPUTING, "STC_stop": State.STOPPING,
}  # fmt: skip


class Situation(NamedTuple):
    """State and settings of a slave at the arrival of a request."""

    state: State
    mode: Mode
    setup: Setup
    now: float  # absolute time [s]
    anywhere: bool  # whether data may go to other machines and come from there
    steps: int | None = None  # of the last STC_do_step


def refusal(pdu: Pdu, situation: Situation, fits: bool = True) -> Fault:
    """Return the code with which a request is refused, NONE if it is not.

    Its type, receiver and sequence number are right; `fits` tells whether its length is.
    """
    if not _is_supported(pdu.name, situation):
        return Fault.NOT_SUPPORTED_PDU
    if not fits:
        return Fault.INVALID_LENGTH
    if (fault := _check_state(pdu.name, situation)) != Fault.NONE:
        return fault
    if "state_id" in pdu.fields and pdu["state_id"] != situation.state:
        return Fault.INVALID_STATE_ID
    check = _MEANINGS.get(pdu.name)
    return Fault.NONE if check is None else check(pdu, situation)


def _is_supported(name: str, situation: Situation) -> bool:
    description, registered = situation.setup.description, situation.state != State.ALIVE
    able = {
        "STC_reset": description.resets,
        "STC_do_step": situation.mode == Mode.NRT or not registered,
        "CFG_steps": situation.mode != Mode.NRT or not registered,
        "CFG_logging": bool(description.log) and (description.log_on_request or description.log_on_notification),
        "INF_log": bool(description.log) and description.log_on_request,
    }
    return able.get(name, True)


def _check_state(name: str, situation: Situation) -> Fault:
    state = situation.state
    if _IN_PROGRESS.get(name) == state:
        return Fault.STATE_TRANSITION_IN_PROGRESS
    if name == "INF_state":
        return Fault.NONE
    if name == "INF_error":
        allowed = state in (State.ERRORHANDLING, State.ERRORRESOLVED)
    elif name == "INF_log":
        allowed = state != State.ALIVE
    elif name.startswith("CFG_"):
        allowed = state == State.CONFIGURATION
    else:
        allowed = state in REQUESTS[name][0]
    return Fault.NONE if allowed else Fault.PDU_NOT_ALLOWED_IN_THIS_STATE


def _first(*conditions: tuple[bool, Fault]) -> Fault:
    return next((fault for failed, fault in conditions if failed), Fault.NONE)


def _check_register(pdu: Pdu, situation: Situation) -> Fault:
    description = situation.setup.description
    return _first(
        (pdu["slave_uuid"] != UUID(description.uuid).bytes, Fault.INVALID_UUID),
        (pdu["op_mode"] not in description.modes, Fault.INVALID_OP_MODE),
        (pdu["major_version"] != MAJOR, Fault.INVALID_MAJOR_VERSION),
        (pdu["minor_version"] != MINOR, Fault.INVALID_MINOR_VERSION),
    )


def _check_run(pdu: Pdu, situation: Situation) -> Fault:
    # without real time the start is that of the first step, and its time is ignored
    past = situation.mode != Mode.NRT and pdu["time"] != 0 and pdu["time"] < int(situation.now)
    return Fault.INVALID_START_TIME if past else Fault.NONE


def _check_do_step(pdu: Pdu, situation: Situation) -> Fault:
    description, steps = situation.setup.description, pdu["steps"]
    last = situation.steps or 1
    return _first(
        (steps < 1, Fault.INVALID_STEPS),
        (not description.variable_steps and steps != last, Fault.NOT_SUPPORTED_VARIABLE_STEPS),
    )


def _check_time_res(pdu: Pdu, situation: Situation) -> Fault:
    description = situation.setup.description
    if not pdu["numerator"] or not pdu["denominator"]:
        return Fault.INVALID_TIME_RESOLUTION
    same = Fraction(pdu["numerator"], pdu["denominator"]) == Fraction(*description.resolution)
    return Fault.NONE if same or not description.fixed_resolution else Fault.INVALID_TIME_RESOLUTION


def _check_steps(pdu: Pdu, situation: Situation) -> Fault:
    return Fault.NONE if pdu["steps"] >= 1 else Fault.INVALID_STEPS


def _variable(situation: Situation, reference: int, kind: str) -> Variable | None:
    found = situation.setup.description.by_reference.get(reference)
    return found if found is not None and found.kind == kind else None


def _check_input(pdu: Pdu, situation: Situation) -> Fault:
    return _check_kind(_variable(situation, pdu["target_vr"], "input"), pdu["source_data_type"])


def _check_output(pdu: Pdu, situation: Situation) -> Fault:
    found = _variable(situation, pdu["source_vr"], "output")
    return Fault.NONE if found else Fault.INVALID_VALUE_REFERENCE


def _check_kind(variable: Variable | None, source: int) -> Fault:
    if variable is None:
        return Fault.INVALID_VALUE_REFERENCE
    return Fault.NONE if converts(source, variable.type) else Fault.INVALID_SOURCE_DATA_TYPE


def _check_parameter(pdu: Pdu, situation: Situation) -> Fault:
    fault = _check_kind(_variable(situation, pdu["parameter_vr"], "parameter"), pdu["source_data_type"])
    if fault != Fault.NONE:
        return fault
    kinds = [pdu["source_data_type"]]
    if len(pdu.rest) != size_of(kinds):
        return Fault.INVALID_PAYLOAD
    try:
        unpack_values(kinds, pdu.rest)
    except NotFinite:
        return Fault.INVALID_PAYLOAD
    return Fault.NONE


def _check_tunable(pdu: Pdu, situation: Situation) -> Fault:
    found = _variable(situation, pdu["parameter_vr"], "parameter")
    return _check_kind(found if found and found.variability == "tunable" else None, pdu["source_data_type"])


def _check_target(pdu: Pdu, situation: Situation) -> Fault:
    far = not situation.anywhere and not IPv4Address(pdu["ip_address"]).is_loopback
    return _first(
        (pdu["transport_protocol"] not in PROTOCOLS, Fault.INVALID_TRANSPORT_PROTOCOL),
        (pdu["transport_protocol"] != UDP_IPV4, Fault.NOT_SUPPORTED_TRANSPORT_PROTOCOL),
        (not pdu["port"] or far, Fault.INVALID_NETWORK_INFORMATION),
    )


def _check_source(pdu: Pdu, situation: Situation) -> Fault:
    description = situation.setup.description
    first, last = description.data_ports
    usable = first <= pdu["port"] <= last or pdu["port"] == description.port
    fault = _check_target(pdu, situation)
    return fault if fault != Fault.NONE or usable else Fault.INVALID_NETWORK_INFORMATION


def _check_category(pdu: Pdu, situation: Situation) -> Fault:
    known = {0, *(category for category, _, _ in (situation.setup.description.log or {}).values())}
    return Fault.NONE if pdu["log_category"] in known else Fault.INVALID_LOG_CATEGORY


def _check_logging(pdu: Pdu, situation: Situation) -> Fault:
    description, mode = situation.setup.description, pdu["log_mode"]
    return _first(
        (mode == ON_REQUEST and not description.log_on_request, Fault.NOT_SUPPORTED_LOG_ON_REQUEST),
        (mode == ON_NOTIFICATION and not description.log_on_notification, Fault.NOT_SUPPORTED_LOG_ON_NOTIFICATION),
        (_check_category(pdu, situation) != Fault.NONE, Fault.INVALID_LOG_CATEGORY),
        (pdu["log_level"] > 4, Fault.INVALID_LOG_LEVEL),
        (mode > ON_NOTIFICATION, Fault.INVALID_LOG_MODE),
    )


def _check_scope(pdu: Pdu, situation: Situation) -> Fault:
    return Fault.NONE if pdu["scope"] <= 2 else Fault.INVALID_SCOPE


def _check_prepare(pdu: Pdu, situation: Situation) -> Fault:
    return situation.setup.incomplete(situation.mode)


_MEANINGS: dict[str, Callable[[Pdu, Situation], Fault]] = {
    "STC_register": _check_register,
    "STC_prepare": _check_prepare,
    "STC_run": _check_run,
    "STC_do_step": _check_do_step,
    "CFG_time_res": _check_time_res,
    "CFG_steps": _check_steps,
    "CFG_input": _check_input,
    "CFG_output": _check_output,
    "CFG_target_network_information": _check_target,
    "CFG_source_network_information": _check_source,
    "CFG_parameter": _check_parameter,
    "CFG_tunable_parameter": _check_tunable,
    "CFG_param_network_information": _check_source,
    "CFG_logging": _check_logging,
    "CFG_scope": _check_scope,
    "INF_log": _check_category,
}
