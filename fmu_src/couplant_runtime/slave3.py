"""The coupling FMU as PythonFMU3 runs it: FMI 3.0 calls onto the same life cycle, as far as its loader passes them on.

It keeps no states, has no Event Mode and does not tell the start time: the first step does.
"""

from .slave import DISCARD, OK, CouplingSlave
from .step import init


class Fmi3Slave:
    """Marks a class as a slave for the loader."""


class StepResult:
    """Answer to a step, as the loader reads it.

    Attributes
    ----------
    status : int
        0 ok, 2 discard.
    terminateSimulation : bool
        Whether the FMU ends the run.
    """

    def __init__(self, status: int, ends: bool) -> None:
        self.status = status
        self.terminateSimulation = ends


class CouplingSlave3(CouplingSlave):
    """One coupling FMU of FMI 3.0; the FMU's own module derives its class from this one and from `Fmi3Slave`.

    Parameters
    ----------
    **kwargs
        instance_name and resources (the folder with the settings), as the loader gives them.

    Raises
    ------
    SettingsError
        If the settings are missing or damaged: instantiation fails.
    """

    get_float64 = CouplingSlave.get_real
    set_float64 = CouplingSlave.set_real
    get_int32 = get_int64 = CouplingSlave.get_integer
    set_int32 = set_int64 = CouplingSlave.set_integer

    def do_step(self, current_time: float, step_size: float) -> StepResult:  # type: ignore[override]    # of the loader
        """Carry out a step from `current_time` [s] over `step_size` [s]."""
        state = self.state
        if self.running and state.grid.n < 0 and state.grid.time != current_time:
            init(self.settings, state, current_time)
        done = super().do_step(current_time, step_size)
        ends = bool(self.state.quality.stopped)
        return StepResult(OK if done or ends else DISCARD, ends)
