"""The C kernel behind the interface that the vectors are replayed through."""

from __future__ import annotations

from couplant.config.interface import Interface
from couplant.pack.settings import runtime_settings
from couplant_runtime.state import Clock
from tests.drivers import SIGNAL, Driver, interface_of
from tests.kernel.library import Kernel, Refused
from tests.vectors.reader import Setup, Value


class KernelDriver(Driver):
    """The kernel in this process, with the calls of a host.

    Parameters
    ----------
    setup : Setup
        Its values are set in Initialization Mode.
    interface : Interface, optional
        A configuration with one signal; without it the one that `setup` needs.
    """

    def __init__(self, setup: Setup = Setup(), interface: Interface | None = None) -> None:  # noqa: B008
        settings = runtime_settings(interface or interface_of(setup), SIGNAL)
        self.variables = {variable.name: variable for variable in settings.variables()}
        self.event = settings.event
        self.kernel = Kernel(settings)
        self.clock = Clock(setup.start_time)
        for name, value in setup.values.items():
            self.set(name, value)
        self.kernel.init(setup.start_time)
        self.clock = Clock(setup.start_time, running=1)

    @property
    def state(self):
        """Return the whole state."""
        return self.kernel.state

    def set(self, name: str, value: Value) -> None:
        self.kernel.set(self.variables[name], float(value), bool(self.clock.running))
        self.clock = self.clock._replace(stale=1)

    def step(self, time: float, size: float) -> bool:
        try:
            self.kernel.step(time, size)
        except Refused:
            return False
        self.clock = self.clock._replace(stale=int(self.event))
        return not self.kernel.state.quality.stopped

    def get(self, name: str) -> Value:
        running = bool(self.clock.running)
        return self._value(self.kernel.preview(running) if self.clock.stale else self.kernel.state, name)

    def committed(self, name: str) -> Value:
        return self._value(self.kernel.state, name)

    def _value(self, seen, name: str) -> Value:
        variable = self.variables[name]
        value = getattr(getattr(seen, variable.record), variable.field)
        return value if variable.index < 0 else value[variable.index]

    def save(self) -> bytes:
        return self.kernel.serialise(self.clock)

    def restore(self, state: bytes) -> None:
        self.clock = self.kernel.restore(state)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
