"""Numbers of the Distributed Co-Simulation Protocol 1.0 (DCP), by the tables of its standard."""

from enum import IntEnum

UDP_IPV4, PROTOCOLS = 0, range(5)
"""Transport protocol, and all of table 12; the other ones are not spoken here."""

ON_REQUEST, ON_NOTIFICATION = 1, 2
"""Log modes, section 3.3.3.9."""

MAJOR, MINOR = 1, 0
"""Version of the standard."""


class State(IntEnum):
    """States of a slave, table 13."""

    ALIVE = 0x00
    CONFIGURATION = 0x01
    PREPARING = 0x02
    PREPARED = 0x03
    CONFIGURING = 0x04
    CONFIGURED = 0x05
    INITIALIZING = 0x06
    INITIALIZED = 0x07
    SENDING_I = 0x08
    SYNCHRONIZING = 0x09
    SYNCHRONIZED = 0x0A
    RUNNING = 0x0B
    COMPUTING = 0x0C
    COMPUTED = 0x0D
    SENDING_D = 0x0E
    STOPPING = 0x0F
    STOPPED = 0x10
    ERRORHANDLING = 0x11
    ERRORRESOLVED = 0x12


class Mode(IntEnum):
    """Operating modes, table 9."""

    HRT = 0
    SRT = 1
    NRT = 2


class Scope(IntEnum):
    """When data are exchanged, table 102."""

    ALL = 0
    INITIALIZATION = 1
    RUN = 2


class Fault(IntEnum):
    """Error codes, table 104."""

    NONE = 0x0000
    GENERIC = 0x1001
    HEARTBEAT_MISSED = 0x1002
    PDU_NOT_ALLOWED_IN_THIS_STATE = 0x1003
    PROPERTY_VIOLATED = 0x1004
    STATE_TRANSITION_IN_PROGRESS = 0x1005
    INVALID_LENGTH = 0x2001
    INVALID_LOG_CATEGORY = 0x2002
    INVALID_LOG_LEVEL = 0x2003
    INVALID_LOG_MODE = 0x2004
    INVALID_MAJOR_VERSION = 0x2005
    INVALID_MINOR_VERSION = 0x2006
    INVALID_NETWORK_INFORMATION = 0x2007
    INVALID_OP_MODE = 0x2008
    INVALID_PAYLOAD = 0x2009
    INVALID_SCOPE = 0x200A
    INVALID_SOURCE_DATA_TYPE = 0x200B
    INVALID_START_TIME = 0x200C
    INVALID_STATE_ID = 0x200D
    INVALID_STEPS = 0x200E
    INVALID_TIME_RESOLUTION = 0x200F
    INVALID_TRANSPORT_PROTOCOL = 0x2010
    INVALID_UUID = 0x2011
    INVALID_VALUE_REFERENCE = 0x2012
    INVALID_SEQUENCE_ID = 0x2013
    INCOMPLETE_CONFIG_GAP_INPUT_POS = 0x3001
    INCOMPLETE_CONFIG_GAP_OUTPUT_POS = 0x3002
    INCOMPLETE_CONFIG_GAP_TUNABLE_POS = 0x3003
    INCOMPLETE_CONFIG_NW_INFO_INPUT = 0x3004
    INCOMPLETE_CONFIG_NW_INFO_OUTPUT = 0x3005
    INCOMPLETE_CONFIG_NW_INFO_TUNABLE = 0x3006
    INCOMPLETE_CONFIG_SCOPE = 0x3007
    INCOMPLETE_CONFIG_STEPS = 0x3008
    INCOMPLETE_CONFIG_TIME_RESOLUTION = 0x3009
    INCOMPLETE_CONFIGURATION = 0x300A
    NOT_SUPPORTED_LOG_ON_NOTIFICATION = 0x4001
    NOT_SUPPORTED_LOG_ON_REQUEST = 0x4002
    NOT_SUPPORTED_VARIABLE_STEPS = 0x4003
    NOT_SUPPORTED_TRANSPORT_PROTOCOL = 0x4004
    NOT_SUPPORTED_PDU = 0x4005
    NOT_SUPPORTED_PDU_SIZE = 0x4006


RUN = frozenset({State.SYNCHRONIZING, State.SYNCHRONIZED, State.RUNNING})
"""Superstate Run, section 3.2.3.4."""

STOPPABLE = RUN | {
    State.PREPARING, State.PREPARED, State.CONFIGURING, State.CONFIGURED, State.INITIALIZING, State.INITIALIZED,
    State.SENDING_I, State.COMPUTING, State.COMPUTED, State.SENDING_D,
}  # fmt: skip
"""States that STC_stop leaves, table 45."""

ERROR = frozenset({State.ERRORHANDLING, State.ERRORRESOLVED})

REQUESTS: dict[str, tuple[frozenset[State], State]] = {
    "STC_register": (frozenset({State.ALIVE}), State.CONFIGURATION),
    "STC_deregister": (frozenset({State.CONFIGURATION, State.STOPPED, State.ERRORRESOLVED}), State.ALIVE),
    "STC_prepare": (frozenset({State.CONFIGURATION}), State.PREPARING),
    "STC_configure": (frozenset({State.PREPARED}), State.CONFIGURING),
    "STC_initialize": (frozenset({State.CONFIGURED}), State.INITIALIZING),
    "STC_run": (frozenset({State.CONFIGURED, State.SYNCHRONIZED}), State.SYNCHRONIZING),
    "STC_do_step": (RUN, State.COMPUTING),
    "STC_send_outputs": (frozenset({State.INITIALIZED, State.COMPUTED}), State.SENDING_D),
    "STC_stop": (STOPPABLE, State.STOPPING),
    "STC_reset": (frozenset({State.STOPPED, State.ERRORRESOLVED}), State.CONFIGURATION),
}
"""States in which each request for a change of state is taken, and the one that it leads to: tables 35 to 54.

STC_run leads from SYNCHRONIZED to RUNNING, STC_send_outputs from INITIALIZED to SENDING_I.
"""

RECEIVING = frozenset(State) - {State.ALIVE, State.CONFIGURATION, State.PREPARING, State.PREPARED, State.CONFIGURING}
"""States in which data PDUs may arrive, table 63."""

DEAF = frozenset({State.STOPPING, State.STOPPED, *ERROR})
"""States in which data PDUs may arrive but are not considered, key 4 of table 64."""
