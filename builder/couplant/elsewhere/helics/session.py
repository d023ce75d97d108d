"""A federation from start to end: broker and federates of this machine as processes, those elsewhere by the broker."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from couplant.base.errors import UsageError
from couplant.base.files import scratch_folder
from couplant.config.scenario import Loaded
from couplant.cosim.result import Result, Run
from couplant.cosim.simulate import result_of
from couplant.elsewhere.helics import broker, member
from couplant.elsewhere.helics.course import BROKER, PATIENCE, Course, Place, Progress, Say
from couplant.elsewhere.helics.crew import Crew
from couplant.elsewhere.helics.judge import Frame, frame_of, judged_parts
from couplant.elsewhere.helics.link import Address, helics
from couplant.elsewhere.helics.record import SUFFIX, PartRecord, read_part, write_part

_PARTS = "parts"


def run_federation(
    loaded: Loaded,
    place: Place | None = None,
    output: Path | None = None,
    progress: Progress | None = None,
    say: Say | None = None,
) -> Result:
    """Run a scenario, from `load_federation`, as a federation and judge it.

    It runs at a `place`, else all of it on this machine. The folder `output` gets the FMUs, and what federates recorded
    where some are elsewhere. `progress` is told the share that is done, 0 to 1, and what is being done, `say` in a
    sentence what a user has to know meanwhile. Raise `UsageError` if HELICS is not installed or a component does not
    exist, `CouplantError` if the broker or a federate fails, is lost, or does not join in time.
    """
    helics()
    place = place or Place()
    for name in place.elsewhere:
        _check_component(loaded, name, "elsewhere")
    if place.elsewhere:
        _check_one_run(loaded, "elsewhere")
    local = [name for name in loaded.scenario.components if name not in place.elsewhere]
    if not local:
        raise UsageError("elsewhere = all components: one has to run here, for its figures.")
    told, tell = progress or (lambda share, text: None), say or (lambda text: None)
    with scratch_folder() as scratch:
        frame = frame_of(loaded, output or scratch, scratch, lambda share: told(0.0, "reference"))
        with _start(loaded, local, scratch) as crew:
            crew.start(BROKER, broker.work, len(loaded.scenario.components))
            runs = [
                _judge(loaded, frame, Course(loaded, crew, place, local, i, told, tell).records(None), place, output)
                for i in range(len(loaded.scenario.cases))
            ]
    return result_of(loaded, runs, {})


def run_federate(
    loaded: Loaded,
    name: str,
    address: Address,
    patience: float = PATIENCE,
    progress: Progress | None = None,
    say: Say | None = None,
) -> PartRecord:
    """Run one component of a scenario as a federate of the broker at an `address` and return what it recorded.

    `name` is the component, `patience` how long federates may take to join [s]; the rest is as for `run_federation`.
    Raise `UsageError` if HELICS is not installed, there is no such component or more than one run, `CouplantError` if
    the broker or a federate fails, is lost, or does not join in time.
    """
    helics()
    _check_component(loaded, name, "federate")
    _check_one_run(loaded, "federate")
    told, tell = progress or (lambda share, text: None), say or (lambda text: None)
    place = Place(tuple(n for n in loaded.scenario.components if n != name), None, patience)
    with scratch_folder() as scratch, _start(loaded, [name], scratch) as crew:
        return Course(loaded, crew, place, [name], 0, told, tell).records(address)[name]


def join_parts(loaded: Loaded, folder: Path, progress: Progress | None = None) -> tuple[Result, list[str]]:
    """Judge the records of federates on several machines, the files FEDERATE.npz of a `folder`.

    Returned are the result, and the components of which there is no file. `progress` hears the share that is done, 0 to
    1, and what is being done. Raise `UsageError` if there is no file, or one cannot be read or belongs to another
    scenario.
    """
    told = progress or (lambda share, text: None)
    _check_one_run(loaded, "join")
    paths = [folder / f"{name}{SUFFIX}" for name in loaded.scenario.components]
    records = {record.federate: record for path in paths if path.is_file() for record in [read_part(path, loaded)]}
    if not records:
        raise UsageError(f"{folder}: none of {', '.join(path.name for path in paths)} is there.")
    with scratch_folder() as scratch:
        frame = frame_of(loaded, scratch, scratch, lambda share: told(0.0, "reference"))
        run = judged_parts(loaded, frame, list(records.values()))
    return result_of(loaded, [run], {}), [name for name in loaded.scenario.components if name not in records]


def _check_component(loaded: Loaded, name: str, quantity: str) -> None:
    if name not in loaded.scenario.components:
        raise UsageError(f"{quantity} = {name}, allowed {', '.join(loaded.scenario.components)}")


def _check_one_run(loaded: Loaded, part: str) -> None:
    found = loaded.scenario.cases
    if len(found) > 1:
        runs = ", ".join(f"{algorithm} in {timing}" for timing, algorithm in found)
        text = "assignments = 'algorithms=[\"eros3\"]' and 'timing=[\"step\"]' choose one"
        raise UsageError(f"{part}: a federation of several machines has one run, {loaded.path} has {runs}; {text}")


def _judge(loaded: Loaded, frame: Frame, records: dict[str, PartRecord], place: Place, output: Path | None) -> Run:
    if place.elsewhere and output is not None:
        for record in records.values():
            write_part(output, loaded, record)
    return judged_parts(loaded, frame, list(records.values()))


@contextmanager
def _start(loaded: Loaded, names: Sequence[str], scratch: Path) -> Iterator[Crew]:
    """Start the federates with these `names` and wait until their FMUs are built."""
    with Crew(scratch) as crew:
        for name in names:
            (scratch / _PARTS / name).mkdir(parents=True)
            crew.start(name, member.work, loaded, name, scratch / _PARTS / name)
        waiting = set(names)
        while waiting:
            waiting -= {word.process for word in crew.words() if word.kind == "ready"}
        yield crew
