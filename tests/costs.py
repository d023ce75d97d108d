"""What tests cost, in CPU seconds of their process and of all that they start: by room at the end, a report only."""

import os
from collections import defaultdict
from pathlib import Path

import pytest

SPENT = pytest.StashKey[float]()
DEAREST = 30
LEAST = 10.0
"""CPU seconds below which a run is not worth a table."""
WHOLE = "COUPLANT_TESTS_COSTS"
"""Names a file for the whole table."""


def spent():
    """Return the CPU seconds of this process and of those that it has started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def room(test):
    """Return the folder of a test below `tests`."""
    parts = test.partition("::")[0].split("/")
    return parts[1] if len(parts) > 2 else "-"


class Costs:
    """The plugin: measures where tests run, adds up where reports are read."""

    def __init__(self):
        self.by_test = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        """Begin to count for a test."""
        item.stash[SPENT] = spent()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item):
        """Give the report of a phase what the phase has cost."""
        report, now = (yield), spent()
        report.cost, item.stash[SPENT] = now - item.stash[SPENT], now
        return report

    def pytest_runtest_logreport(self, report):
        """Add up."""
        self.by_test[report.nodeid] += getattr(report, "cost", 0.0)

    def pytest_terminal_summary(self, terminalreporter):
        """Print the rooms and the dearest tests."""
        rooms = defaultdict(float)
        for test, cost in self.by_test.items():
            rooms[room(test)] += cost
        if (total := sum(rooms.values())) < LEAST:
            return
        terminalreporter.section(f"CPU seconds by room, {total:.0f} in all")
        falling = sorted(rooms.items(), key=lambda item: -item[1])
        terminalreporter.write_line(", ".join(f"{name} {cost:.0f}" for name, cost in falling))
        lines = [f"{cost:8.1f} {test}" for test, cost in sorted(self.by_test.items(), key=lambda item: -item[1])]
        for line in lines[:DEAREST]:
            terminalreporter.write_line(line)
        if name := os.environ.get(WHOLE):
            Path(name).write_text("\n".join(lines), encoding="utf-8")
