"""The exchange of values in importers that do not read outputs again once they have set inputs.

They start as every importer does, with values that fit together; from then on inputs get what was read after a step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from couplant.config.hosts import JACOBI, READS_AGAIN, SEQUENTIAL
from couplant.config.ref import Ref
from couplant.cosim.fmu.component import Component
from couplant.cosim.run.exchange import Action, Exchange, groups
from couplant.cosim.wiring.order import Link


class Jacobi(Exchange):
    """Set all inputs to what was read last, step everything, read all outputs."""

    def __init__(self, components: Mapping[str, Component], links: Sequence[Link], watched: Sequence[Ref] = ()) -> None:
        super().__init__(components, links, watched)
        self._sources = {link.target: link.source for link in links}
        self._writes = {name: self._write(name, targets, self._sources) for name, targets in groups(self._sources)}
        self._reads: dict[str, Action] = {
            name: self._read(name, refs) for name, refs in groups(value.ref for value in self._slots)
        }

    def begin(self, t_0: float) -> None:
        """Exchange at `t_0` [s] until all is settled: some outputs depend on inputs at once only while they begin."""
        for _ in self._components:
            super().begin(t_0)

    def read_first(self) -> None:
        """Read everything."""
        for read in self._reads.values():
            read(0.0, 0.0)

    def run(self, t: float, h: float) -> None:
        """Set all inputs."""
        for write in self._writes.values():
            write(t, h)

    def step(self, t: float, h: float) -> None:
        """Step everything, then read."""
        super().step(t, h)
        for read in self._reads.values():
            read(t, h)


class Sequential(Jacobi):
    """One component after the other gets its inputs, steps and is read.

    `shown` has what a receiver was given for the step, also where its sender had its turn before.
    """

    def __init__(self, components: Mapping[str, Component], links: Sequence[Link], watched: Sequence[Ref] = ()) -> None:
        super().__init__(components, links, watched)
        self.shown = list(self.values)
        self._given = {name: [self.slot(self._sources[ref]) for ref in refs] for name, refs in groups(self._sources)}
        self._h = 0.0

    def run(self, t: float, h: float) -> None:
        """Let all components take their turns; at the end of a run too, for what they are given there."""
        self._h = h or self._h
        self.shown[:] = self.values
        for name, component in self._components.items():
            if name in self._writes:
                self._writes[name](t, h)
                for slot in self._given[name]:
                    self.shown[slot] = self.values[slot]
            component.step(t, self._h)
            if name in self._reads:
                self._reads[name](t, h)

    def step(self, t: float, h: float) -> None:
        """Nothing is left to do."""


EXCHANGES: dict[str, type[Exchange]] = {READS_AGAIN: Exchange, JACOBI: Jacobi, SEQUENTIAL: Sequential}
"""How an importer exchanges values, by its kind."""
