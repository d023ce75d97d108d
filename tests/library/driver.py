"""The C library as a program for this or another machine, behind the interface that vectors are replayed through."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from couplant.config import parse_interface
from couplant.config.interface import Interface
from couplant.pack.binaries.compile import host_compiler
from couplant.pack.c_library import write_c_library
from couplant.pack.settings import runtime_settings
from tests import commands
from tests.c.programs import CACHE, ROOT, WARNINGS, environment, needs
from tests.c.signals import BOND, ENDS, LEARNING
from tests.c.wasm import bits, needs_zig, number
from tests.drivers import SIGNAL, Driver, interface_of
from tests.vectors.reader import Setup, Value

HERE = Path(__file__).parent
EXACT = ("-O2", "-ffp-contract=off", "-fno-math-errno")
OK, NOTHING, ENDED, REFUSED = range(4)

PLAIN = {"s": {"algorithm": "eros3", "latency": {"constant_steps": 3}}}
EVERYTHING = {"net": LEARNING, "end": ENDS}

MACHINES = {
    "arm": ("arm-linux-musleabihf", ["qemu-arm-static"]),
    "arm_without_floats": ("arm-linux-musleabi", ["qemu-arm-static"]),
    "aarch64": ("aarch64-linux-musl", ["qemu-aarch64-static"]),
    "riscv32": ("riscv32-linux-musl", ["qemu-riscv32-static"]),
    "wasm": ("wasm32-wasi", ["node", "--no-warnings", str(HERE / "wasi.js")]),
}
"""What zig calls them, and what runs their programs here."""


def settings_of(parts: str, timing: str = "step") -> Interface:
    """Return settings whose library has all parts of the kernel ("everything"), or the fewest ("plain")."""
    signals = PLAIN if parts == "plain" else EVERYTHING
    bonds = {} if parts == "plain" else {"bonds": {"shaft": {"effort": "end", **BOND}}}
    head = {"name": "bench", "macro_step": 0.01, "timing": timing}
    return parse_interface({"interface": head, "signals": signals, **bonds}, "tests")


@cache
def library(parts: str) -> Path:
    """Return the folder of a generated library with its two files of C in `src`."""
    digest = hashlib.sha256(parts.encode())
    for path in sorted([*(ROOT / "fmu_src").rglob("*.[ch]"), *(ROOT / "builder/couplant/pack/c_library").glob("*.py")]):
        digest.update(path.read_bytes())
    folder = CACHE / f"c_library-{parts}-{digest.hexdigest()[:16]}"
    write_c_library(settings_of(parts), folder)
    return folder


def compiled(source: Path, parts: str, *flags: str, machine: str = "", warnings: Sequence[str] = WARNINGS) -> Path:
    """Compile a program that includes the C file of a library, for a machine by name, "" this one, once."""
    src = library(parts) / "src"
    command = [*(_zig(MACHINES[machine][0]) if machine else host_compiler()), *warnings, *EXACT, *flags, f"-I{src}"]
    digest = hashlib.sha256("\0".join([*command, src.parent.name]).encode())
    folders = [Path(flag[2:]) for flag in flags if flag.startswith("-I")]
    for path in (source, *(path for folder in folders for path in sorted(folder.glob("*.[ch]")))):
        digest.update(path.read_bytes())
    output = CACHE / f"{source.stem}-{machine or 'here'}-{digest.hexdigest()[:16]}"
    if not output.exists():
        partial = output.with_name(f"{os.getpid()}-{output.name}")
        build = [*command, str(source), "-o", str(partial), "-lm"]
        done = commands.run(build, env=environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        partial.replace(output)
    return output


def _zig(target: str) -> list[str]:
    needs_zig()
    static = [] if "wasm" in target else ["-static"]
    return [sys.executable, "-m", "ziglang", "cc", "-target", target, *static]


class Served:
    """A program that answers each line with one; a `with` ends it."""

    def __init__(self, parts: str = "everything", machine: str = "") -> None:
        runner = [needs(MACHINES[machine][1][0]), *MACHINES[machine][1][1:]] if machine else []
        words = [*runner, str(compiled(HERE / "serve.c", parts, machine=machine))]
        self.process = commands.Started(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(timeout=30)

    def call(self, *words: object) -> tuple[int, str]:
        """Return the status that a command is answered with, and what comes with it."""
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        assert answer, f"the program ended at {words[0]}"
        status, _, rest = answer.rstrip("\n").partition(" ")
        return int(status), rest

    def open(self, settings, preview: bool = True, fingerprint: str = "1") -> tuple[int, str]:
        """Open a signal with the lists of `settings`; return the status and the sentence."""
        for key, values in settings.items():
            self.call("list", key, len(values), *map(bits, values))
        return self.call("open", fingerprint, int(preview))


class LibraryDriver(Driver):
    """A signal of the library in a program that runs.

    Parameters
    ----------
    served : Served
        Where it runs.
    setup : Setup
        Its values are set before the start.
    interface : Interface, optional
        A configuration with one signal; without it the one that `setup` needs.
    preview : bool
        Whether outputs follow what is set.
    """

    def __init__(
        self, served: Served, setup: Setup = Setup(), interface: Interface | None = None, preview: bool = True  # noqa: B008
    ) -> None:
        self.served = served
        settings = runtime_settings(interface or interface_of(setup), SIGNAL)
        self.kinds = {variable.name: variable.kind for variable in settings.variables()}
        status, why = served.open(settings.lists(), preview, f"{settings.fingerprint:016x}")
        assert status == OK, why
        self.references = {name: served.call("find", name)[1] for name in self.kinds}
        for name, value in setup.values.items():
            self.set(name, value)
        assert served.call("start", bits(setup.start_time))[0] == OK, self.why()

    def why(self) -> str:
        """Return the sentence about what was refused last."""
        return self.served.call("why")[1]

    def set(self, name: str, value: Value) -> None:
        assert self.served.call("set", self.references[name], bits(float(value)))[0] == OK, self.why()

    def step(self, time: float, size: float) -> bool:
        return self.served.call("step", bits(time), bits(size))[0] == OK

    def get(self, name: str) -> Value:
        return self._read("get", name)

    def committed(self, name: str) -> Value:
        return self._read("held", name)

    def _read(self, call: str, name: str) -> Value:
        status, word = self.served.call(call, self.references[name])
        assert status == OK, self.why()
        value = number(word)
        return value if self.kinds[name] == "real" else bool(value) if self.kinds[name] == "boolean" else int(value)

    def save(self) -> bytes:
        status, word = self.served.call("save")
        assert status == OK, self.why()
        return bytes.fromhex(word)

    def restore(self, state: bytes) -> None:
        assert self.served.call("restore", state.hex())[0] == OK, self.why()

    def close(self) -> None:
        self.served.call("close")
