"""A driver beside the kernel of this process: whatever it runs has the same bits."""

from tests.c.wasm import bits
from tests.kernel.driver import KernelDriver
from tests.vectors.reader import Setup


class Beside:
    """Holds every output of the driver that comes behind it in a class against that of the kernel."""

    def __init__(self, running, setup=Setup(), interface=None):  # noqa: B008
        super().__init__(running, setup, interface)
        self.here = KernelDriver(setup, interface)

    def set(self, name, value):
        super().set(name, value)
        if hasattr(self, "here"):
            self.here.set(name, value)

    def step(self, time, size):
        done = super().step(time, size)
        assert self.here.step(time, size) == done
        return done

    def get(self, name):
        value = super().get(name)
        assert bits(float(value)) == bits(float(self.here.get(name))), name
        return value

    def committed(self, name):
        value = super().committed(name)
        assert bits(float(value)) == bits(float(self.here.committed(name))), name
        return value
