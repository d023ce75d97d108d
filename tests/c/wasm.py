"""The kernel as a module of WebAssembly in node, behind the interface that vectors are replayed through."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import json
import os
import re
import shlex
import struct
import subprocess
import sys
from pathlib import Path

from couplant.base.files import write_atomic
from couplant.config.interface import Interface
from couplant.pack.archive.identity import SettingsFile
from couplant.pack.binaries.compile import binary
from couplant.pack.binaries.platforms import WASM
from couplant.pack.binaries.sources import coupling_module
from couplant.pack.settings import runtime_settings
from tests import commands
from tests.c.programs import CACHE, HERE, ROOT, environment, missing
from tests.drivers import SIGNAL, Driver, interface_of
from tests.vectors.reader import Setup, Value

PAGE = ROOT / "docs" / "realtime.md"
TOKEN = "token"


def command() -> list[str]:
    """Return the command of the page that compiles the module, for this Python, without what it writes."""
    page = PAGE.read_text(encoding="utf-8")
    (block,) = re.findall(r"^    (\S+python -m ziglang cc .*?)^    -o \S+\n", page, re.DOTALL | re.MULTILINE)
    return [sys.executable, *shlex.split(block.replace("\\\n", " "))[1:]]


def module() -> Path:
    """Return the module of all coupling FMUs, that of the wheel."""
    needs_zig()
    content = gzip.decompress(binary(coupling_module(), WASM))
    output = CACHE / f"couplant-{hashlib.sha256(content).hexdigest()[:16]}.wasm"
    if not output.exists():
        write_atomic(output, content)
    return output


def module_of_page() -> Path:
    """Compile the module as the page says, in the folder of the project, unless it has been compiled before."""
    build = [*command(), "-Wall", "-Wextra", "-Werror"]
    digest = hashlib.sha256("\0".join(build).encode())
    for path in sorted((ROOT / "fmu_src").rglob("*.[ch]")):
        digest.update(path.read_bytes())
    output = CACHE / f"page-{digest.hexdigest()[:16]}.wasm"
    if not output.exists():
        needs_zig()
        CACHE.mkdir(parents=True, exist_ok=True)
        partial = output.with_name(f"{os.getpid()}-{output.name}")
        done = commands.run([*build, "-o", partial], cwd=ROOT, env=environment(), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        partial.replace(output)
    return output


def needs_zig() -> None:
    """Skip without the compiler."""
    if not importlib.util.find_spec("ziglang"):
        missing("ziglang")


def bits(value: float) -> str:
    """Return the 64 bits of a number."""
    return struct.pack(">d", value).hex()


def number(word: str) -> float:
    """Return the number of 64 bits."""
    return struct.unpack(">d", bytes.fromhex(word))[0]


class Module:
    """A module that runs in node, with a call a line; a `with` ends it."""

    def __init__(self, path: Path) -> None:
        words = ["node", str(HERE / "wasm.js"), str(path)]
        self.node = commands.Started(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Module:
        return self

    def __exit__(self, *_error: object) -> None:
        self.node.stdin.close()
        self.node.stdout.close()
        self.node.wait(timeout=30)

    def call(self, *words: object) -> str:
        """Return the answer to a command."""
        self.node.stdin.write(" ".join(map(str, words)) + "\n")
        self.node.stdin.flush()
        answer = self.node.stdout.readline()
        assert answer, f"node ended at {words[0]}"
        return answer.strip()

    def log(self) -> str:
        """Return what was logged since the last call."""
        return json.loads(self.call("log"))


class WasmDriver(Driver):
    """A coupling in a module.

    Parameters
    ----------
    running : Module
        Where it runs.
    setup : Setup
        Its values are set before initialisation.
    interface : Interface, optional
        A configuration with one signal; without it the one that `setup` needs.
    """

    def __init__(self, running: Module, setup: Setup = Setup(), interface: Interface | None = None) -> None:  # noqa: B008
        self.module = running
        settings = runtime_settings(interface or interface_of(setup), SIGNAL)
        self.kinds = {variable.name: variable.kind for variable in settings.variables()}
        text = SettingsFile(TOKEN, f"{settings.fingerprint:016x}", settings.lists()).text()
        assert running.call("open", TOKEN, text.encode().hex()) == "1", running.log()
        self.references = {name: running.call("reference", name) for name in self.kinds}
        for name, value in setup.values.items():
            self.set(name, value)
        assert running.call("begin", bits(setup.start_time)) == "0", running.log()

    def set(self, name: str, value: Value) -> None:
        status = self.module.call("set", self.references[name], bits(float(value)))
        assert status == "0", self.module.log()

    def step(self, time: float, size: float) -> bool:
        return self.module.call("step", bits(time), bits(size)) in ("0", "1")

    def get(self, name: str) -> Value:
        value = number(self.module.call("get", self.references[name]))
        return value if self.kinds[name] == "real" else bool(value) if self.kinds[name] == "boolean" else int(value)

    def save(self) -> bytes:
        return bytes.fromhex(self.module.call("save"))

    def restore(self, state: bytes) -> None:
        assert self.module.call("restore", state.hex()) == "0", self.module.log()

    def close(self) -> None:
        self.module.call("free")
