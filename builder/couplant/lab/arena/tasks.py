"""The tasks of the arena: scenarios with all their files, made by seeds that are published, or by a secret.

A recording is text with seven digits, so that every machine makes the same.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import tomlkit

from couplant.analysis.loop_error import close_undelayed
from couplant.analysis.signal.way import Way
from couplant.analysis.system_file import parse_system
from couplant.base.arrays import Matrix
from couplant.base.errors import UsageError
from couplant.base.style import macro_steps
from couplant.config.frame.read import Content
from couplant.config.network import NetworkTable
from couplant.lab.arena.loops import LOOPS
from couplant.lab.arena.signals import GENERATORS

SCENARIO, SYSTEM, RECORDING = "scenario.toml", "system.toml", "recording.csv"
PUBLIC = "couplant arena 1"
"""Text that the seeds of the published tasks are made of: tasks that change get another one."""

PUBLISHED = "d68c4ce374f00311665e31a507318d7c565da279758dbe6332e0be75da72795f"
"""SHA-256 of the published tasks, of their digests in their order."""

SECRET = "186c68882bdfdae6721ca3b93d1f4e789e0b9d10f63b9e4eb3f84511aa0204f5"
"""SHA-256 of the secret that the hold-out set is made of."""

HIDDEN = "12811fe250e4a55defeda2f8c7994ddf7e7130efde8797f2d5a45257980647da"
"""SHA-256 of the hold-out set, likewise."""

_LENGTH = 2000  # macro steps of a recording
_LONGEST = 8  # latency of the hold-out set at most [macro steps]


@dataclass(frozen=True)
class Plan:
    """A task before its numbers are drawn."""

    name: str
    kind: str  # of `GENERATORS` or `LOOPS`
    family: str
    macro_step: float  # [s]
    steps: int  # latency k [macro steps]
    network: Content = field(default_factory=dict)  # what it does besides
    more: Content = field(default_factory=dict)  # settings of the scenario besides
    most: int = _LONGEST  # latency that is drawn for the hold-out set at most [macro steps]

    @property
    def closed(self) -> bool:
        """Return whether estimates act on what is estimated."""
        return self.kind not in GENERATORS


@dataclass(frozen=True, eq=False)
class Task:
    """A task: a scenario and the files that it names."""

    plan: Plan
    about: str  # a sentence
    files: Mapping[str, str]  # texts by name

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of all files."""
        text = "".join(f"{name}\n{self.files[name]}\n" for name in sorted(self.files))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def name(self) -> str:
        """Return its name."""
        return self.plan.name

    def states(self) -> Matrix | None:
        """Return the matrix of all states of a linear loop without latency, None of all else [1/s]."""
        if SYSTEM not in self.files:
            return None
        return close_undelayed(parse_system(tomlkit.parse(self.files[SYSTEM]).unwrap(), self.name))[0]


_JITTER = {"jitter_steps": 2.0, "loss": 0.05}
_JACOBI = {"timing": ["step"], "host": "jacobi"}
_FINE = {**_JACOBI, "parts": 4}
_RECORDED, _LOOP, _NETWORK, _HYBRID = "recordings", "loops", "networks", "hybrid simulation"
_GRID, _CONTACT = "grid", "contact"

PLANS = (
    Plan("engine_2", "engine", _RECORDED, 0.002, 2),
    Plan("engine_5", "engine", _RECORDED, 0.002, 5),
    Plan("engine_8", "engine", _RECORDED, 0.001, 8),
    Plan("road_2", "road", _RECORDED, 0.005, 2),
    Plan("road_6", "road", _RECORDED, 0.005, 6),
    Plan("chirp_3", "chirp", _RECORDED, 0.01, 3),
    Plan("steps_4", "steps", _RECORDED, 0.01, 4),
    Plan("stick_slip_3", "stick_slip", _RECORDED, 0.01, 3),
    Plan("pedal_5", "pedal", _RECORDED, 0.02, 5),
    Plan("multisine_1", "multisine", _RECORDED, 0.01, 1),
    Plan("multisine_7", "multisine", _RECORDED, 0.01, 7),
    Plan("band_noise_2", "band_noise", _RECORDED, 0.01, 2),
    Plan("noisy_sine_4", "noisy_sine", _RECORDED, 0.01, 4),
    Plan("ringing_6", "ringing", _RECORDED, 0.005, 6),
    Plan("encoder_3", "encoder", _RECORDED, 0.01, 3),
    Plan("engine_jitter", "engine", _NETWORK, 0.002, 2, _JITTER),
    Plan("multisine_jitter", "multisine", _NETWORK, 0.01, 2, _JITTER),
    Plan("road_bursts", "road", _NETWORK, 0.005, 3, {"loss": 0.1, "loss_run": 3.0}),
    Plan("pedal_5g", "pedal", _NETWORK, 0.01, 0, {"shape": "5g"}),
    Plan("engine_wifi", "engine", _NETWORK, 0.002, 0, {"shape": "wifi"}),
    Plan("road_vpn", "road", _NETWORK, 0.01, 0, {"shape": "vpn"}),
    Plan("masses_wifi", "two_masses", _NETWORK, 0.02, 0, {"shape": "wifi"}),
    Plan("motor_5g", "motor", _NETWORK, 0.005, 0, {"shape": "5g"}),
    Plan("masses_2", "two_masses", _LOOP, 0.02, 2, most=6),
    Plan("masses_4_jacobi", "two_masses", _LOOP, 0.02, 4, more=_FINE, most=6),
    Plan("masses_6", "two_masses", _LOOP, 0.02, 6, most=6),
    Plan("pendulum_3", "pendulum", _LOOP, 0.01, 3, most=5),
    Plan("pendulum_5_jacobi", "pendulum", _LOOP, 0.01, 5, more=_FINE, most=5),
    Plan("motor_2", "motor", _LOOP, 0.005, 2, most=4),
    Plan("motor_4_jacobi", "motor", _LOOP, 0.005, 4, more=_JACOBI, most=4),
    Plan("frame_2", "frame", _HYBRID, 0.00390625, 2, most=5),
    Plan("frame_3_jacobi", "frame", _HYBRID, 0.00390625, 3, more=_FINE, most=5),
    Plan("frame_5", "frame", _HYBRID, 0.00390625, 5, most=5),
    Plan("grid_drift_4", "grid_drift", _GRID, 0.001, 4),
    Plan("grid_harmonics_2", "grid_harmonics", _GRID, 0.0005, 2),
    Plan("grid_sag_3", "grid_sag", _GRID, 0.001, 3),
    Plan("grid_phase_5", "grid_phase", _GRID, 0.001, 5),
    Plan("tapping_4", "tapping", _CONTACT, 0.002, 4),
    Plan("rubbing_2", "rubbing", _CONTACT, 0.001, 2),
    Plan("hand_6", "hand", _CONTACT, 0.01, 6),
    Plan("masses_stop", "stop", _CONTACT, 0.02, 3, most=5),
)  # fmt: skip
"""All tasks before their numbers are drawn."""

SMALL = ("engine_2", "multisine_jitter", "pendulum_3", "grid_phase_5")
"""Names of the tasks of a short run."""


def find_plans(names: Sequence[str] = ()) -> tuple[Plan, ...]:
    """Return the plans with these names, all without any; raise `UsageError` if there is no such task."""
    known = {plan.name: plan for plan in PLANS}
    for name in names:
        if name not in known:
            raise UsageError(f"task = {name}, allowed {', '.join(known)}")
    return tuple(known[name] for name in names) if names else PLANS


def draw_tasks(secret: str | None = None) -> Iterator[Task]:
    """Yield all tasks, the published ones or those of a `secret`, which are of the same kinds at other latencies."""
    return (draw_task(plan, secret) for plan in PLANS)


def draw_task(plan: Plan, secret: str | None = None) -> Task:
    """Return the task of a plan, the published one or that of a `secret`, which draws its latency too."""
    origin = hashlib.sha256(f"{PUBLIC if secret is None else secret}\n{plan.name}".encode()).digest()
    random = np.random.default_rng(list(origin))
    shaped = "shape" in plan.network
    steps = plan.steps if secret is None or shaped else int(random.integers(1, plan.most + 1))
    network = plan.network | ({} if shaped else {"latency_steps": steps})
    network |= {"seed": int(random.integers(1, 2**31))} if plan.network else {}
    scenario: Content = {"name": plan.name, "macro_step": plan.macro_step, "timing": ["event"], "algorithms": ["wire"]}
    more = dict(plan.more)
    if parts := more.pop("parts", None):
        more["micro_step"] = plan.macro_step / parts
    scenario |= more | {"network": network}
    way = Way(NetworkTable.model_validate(network))
    late = f"over {network['shape']}" if shaped else f"{macro_steps(steps)} late{way.disturbances}"
    late += ", in a Jacobi host" * ("host" in plan.more)
    if not plan.closed:
        return _recording(plan, scenario, random, late)
    return _stop(plan, scenario, random, late) if plan.kind == "stop" else _loop(plan, scenario, random, late)


def _recording(plan: Plan, scenario: Content, random: np.random.Generator, late: str) -> Task:
    make, unit = GENERATORS[plan.kind]
    values = make(random, _LENGTH, plan.macro_step)
    rows = "".join(f"{n * plan.macro_step:.9g},{value:.7g}\n" for n, value in enumerate(values.tolist()))
    scenario["components"] = {"sender": {"recording": RECORDING}}
    scenario["signals"] = {"y": {"from": "sender.y", "unit": unit}}
    return Task(plan, f"{_about(make)}; {late}.", {SCENARIO: tomlkit.dumps(scenario), RECORDING: f"time_s,y\n{rows}"})


def _loop(plan: Plan, scenario: Content, random: np.random.Generator, late: str) -> Task:
    loop = LOOPS[plan.kind](random)
    connections = [{"from": source, "to": target} for source, target, _ in loop.signals.values()]
    system = {"macro_step": plan.macro_step, "prototypes": loop.prototypes, "excitation": loop.excitation}
    seed = int(random.integers(1, 2**31))
    scenario["duration"] = _duration(plan)
    scenario["components"] = {
        name: {"system": SYSTEM, "parameters": {"seed": seed + i}} for i, name in enumerate(loop.prototypes)
    }
    scenario["signals"] = {
        name: {"from": source, "to": [target], "unit": unit} for name, (source, target, unit) in loop.signals.items()
    }
    files = {SCENARIO: scenario, SYSTEM: system | {"connections": connections}}
    texts = {name: tomlkit.dumps(content) for name, content in files.items()}
    return Task(plan, f"{_about(LOOPS[plan.kind])}; {late}.", texts)


def _about(make: object) -> str:
    """Return the words for the result of a function, by its docstring."""
    text = (make.__doc__ or "").partition("\n")[0].partition("[")[0].strip().rstrip(".").removeprefix("Return ")
    return text[:1].upper() + text[1:]


def _stop(plan: Plan, scenario: Content, random: np.random.Generator, late: str) -> Task:
    """Return the two masses of the package, one of which hits a stop."""
    push, other = (float(f"{random.uniform(low, 1.4 * low):.6g}") for low in (10.0, 1.0))
    first = {"stop": {"position": -1.0, "restitution": 0.8}, "force": {"amplitude": push}}
    scenario |= {"duration": _duration(plan), "components": {
        "left": {"model": "mass_1_stop", "parameters": first},
        "right": {"model": "mass_2", "parameters": {"force": {"amplitude": other}}},
    }}  # fmt: skip
    scenario["signals"] = {
        "x1": {"from": "left.x1", "to": ["right.x1"], "unit": "m"},
        "v1": {"from": "left.v1", "to": ["right.v1"], "unit": "m/s"},
        "f": {"from": "right.f", "to": ["left.f"], "unit": "N"},
    }
    about = "Two masses that a spring ties, one of which hits a stop"
    return Task(plan, f"{about}; {late}.", {SCENARIO: tomlkit.dumps(scenario)})


def _duration(plan: Plan) -> float:
    """Return how long a loop runs [s]: stability shows in two windows of 5 s."""
    return max(12.0, 1000 * plan.macro_step)


def check_secret(secret: str) -> None:
    """Raise `UsageError` unless a `secret` is the one of the hold-out set and makes its tasks."""
    found = hashlib.sha256(secret.encode()).hexdigest()
    if found != SECRET:
        raise UsageError(f"the secret has the SHA-256 {found[:12]}.., allowed {SECRET[:12]}..: it is another one")
    made = set_digest(secret)
    if made != HIDDEN:
        text = f"the tasks of this secret have the SHA-256 {made[:12]}.., allowed {HIDDEN[:12]}.."
        raise UsageError(f"{text}: they are made by another version")


def set_digest(secret: str | None = None) -> str:
    """Return the SHA-256 of all tasks together, the published ones or those of a `secret`."""
    return hashlib.sha256("".join(task.digest for task in draw_tasks(secret)).encode()).hexdigest()
