"""Little importers, each of which does one thing: components have `get(name)`, `set(name, value)`, `step(t, h)`.

A system is a mapping of names to components and a list of connections ((component, output), (component, input)); those
of outputs with direct feedthrough come last, so that in this order every output is read after its inputs are set.
"""

from __future__ import annotations


class Host:
    """All inputs are set from what was read after the last step, all components step, all outputs are read: Jacobi."""

    def __init__(self, components, links, h=0.01, start=0.0):
        self.components, self.links = components, links
        self.h, self.t0, self.n = h, start, 0
        self.values = {source: self.read(source) for source, _ in links}

    @property
    def t(self):
        return self.t0 + self.n * self.h

    def read(self, source):
        name, output = source
        return self.components[name].get(output)

    def write(self, target, value):
        name, variable = target
        self.components[name].set(variable, value)

    def carried(self, link):
        """Return what a connection hands over now."""
        return self.values[link[0]]

    def exchange(self):
        for link in self.links:
            self.write(link[1], self.carried(link))

    def step(self):
        self.exchange()
        for component in self.components.values():
            component.step(self.t, self.h)
        for source, _ in self.links:
            self.values[source] = self.read(source)
        self.n += 1

    def run(self, steps):
        for _ in range(steps):
            self.step()
        return self


class ReadsAgain(Host):
    """Outputs are read and inputs set in the order of the connections, then all components step."""

    def exchange(self):
        for link in self.links:
            self.values[link[0]] = self.read(link[0])
            self.write(link[1], self.carried(link))


class Sequential(Host):
    """One component after the other takes the newest outputs, steps and gives its own."""

    def step(self):
        for name, component in self.components.items():
            for link in self.links:
                if link[1][0] == name:
                    self.write(link[1], self.carried(link))
            component.step(self.t, self.h)
            for source, _ in self.links:
                if source[0] == name:
                    self.values[source] = self.read(source)
        self.n += 1


def delayed(base, only=None):
    """Return a host that has a Unit Delay, which starts at 0, in every connection, or in those to the inputs `only`."""

    class Delayed(base):
        def __init__(self, *arguments, **more):
            self.stored = {}
            super().__init__(*arguments, **more)

        def carried(self, link):
            value = super().carried(link)
            if only is None or link[1] in only:
                value, self.stored[link] = self.stored.get(link, 0.0), value
            return value

    return Delayed


class Extrapolates(Host):
    """Inputs are continued half a step on a straight line through the last two values: numerical compensation."""

    def __init__(self, *arguments, **more):
        self.before = {}
        super().__init__(*arguments, **more)

    def carried(self, link):
        value = super().carried(link)
        before, self.before[link] = self.before.get(link, value), value
        return value + 0.5 * (value - before)


class Rare(Host):
    """Values are exchanged at every fourth communication step only."""

    def exchange(self):
        if self.n % 4 == 0:
            super().exchange()


class Skips(Host):
    """Every fifth exchange is left out."""

    def exchange(self):
        if self.n % 5:
            super().exchange()


HOSTS = {"jacobi": Host, "reads_again": ReadsAgain, "sequential": Sequential}
