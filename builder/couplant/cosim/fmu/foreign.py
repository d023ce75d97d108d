"""FMUs that others made run in a process of their own, all FMUs of the run with them: values need not cross."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from couplant.base.isolation import call_isolated
from couplant.config.ref import Ref
from couplant.config.scenario import Loaded
from couplant.cosim.fmu.load import Builder, FmuLibrary
from couplant.cosim.run.reference import Reference, solve
from couplant.cosim.wiring.components import Workshop
from couplant.pack.archive.write import is_own


def has_foreign(loaded: Loaded) -> bool:
    """Tell whether a scenario names an FMU that this process did not build."""
    return not all(is_own(loaded.file(name)) for name in named_fmus(loaded))


def named_fmus(loaded: Loaded) -> list[str]:
    """Return the FMUs that a scenario names, as it names them."""
    scenario = loaded.scenario
    tables = [scenario.coupling, *(signal.coupling for signal in scenario.signals.values())]
    found = [table.fmu for table in scenario.components.values()] + [table.get("fmu") for table in tables]
    return sorted({str(name) for name in found if name})


def delay_free(loaded: Loaded, told: Callable[[float], None] = lambda share: None) -> Reference:
    """Return the delay-free reference of a scenario; `told` hears the share of the run at hand that is done, 0 to 1.

    Raises UsageError if the scenario is wrong; CouplantError if an FMU cannot be built, refuses to run or ends the
    process that runs it.
    """
    if not has_foreign(loaded):
        return _delay_free(loaded, told)
    found: Reference = call_isolated(_delay_free, loaded, told=told)
    return found


def sender_starts(loaded: Loaded) -> dict[Ref, float]:
    """Return the first outputs of senders whose signals pass a network, in their units.

    Raises UsageError if the scenario is wrong; CouplantError if an FMU cannot be built, refuses to start or ends the
    process that runs it.
    """
    found: dict[Ref, float] = call_isolated(_starts, loaded) if has_foreign(loaded) else _starts(loaded)
    return found


def _starts(loaded: Loaded, _: object = None) -> dict[Ref, float]:
    with tempfile.TemporaryDirectory(prefix="couplant-") as folder, FmuLibrary() as library:
        return dict(Workshop(loaded, library, Builder(Path(folder))).starts)


def _delay_free(loaded: Loaded, told: Callable[[float], None]) -> Reference:
    with tempfile.TemporaryDirectory(prefix="couplant-") as folder, FmuLibrary() as library:
        workshop = Workshop(loaded, library, Builder(Path(folder)))
        grid = workshop.grid()
        return solve(workshop.reference, grid.macro_step, grid.count, told)
