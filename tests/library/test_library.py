"""The folder that `couplant build --c-library` writes: it compiles anywhere, runs, and keeps to what it says."""

import json
import re
import shutil
import sys

import pytest
import tomlkit

from couplant.base.errors import UsageError
from couplant.config import parse_interface
from couplant.pack.binaries.compile import host_compiler
from couplant.pack.c_library import write_c_library
from couplant.pack.c_library.settings import code_signals, header
from tests import commands
from tests.c.programs import WARNINGS, environment, needs, run
from tests.c.signals import SIGNALS, interface_of
from tests.c.wasm import needs_zig
from tests.kernel.library import needs_compiler
from tests.library.driver import EXACT, OK, REFUSED, Served, library, settings_of
from tests.pages.blocks import blocks
from tests.pages.desk import INTERFACE

pytestmark = needs_compiler

NEEDED = {"memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp", "strncmp", "sqrt"}
"""All that the target has to bring, beside arithmetic on targets without it; the header and the page name them."""

CALLS = (
    "size open reset start step close find set set_all get slope gain next_point message state_size save restore why"
).split()

EVENT = {"algorithm": "irregular", "latency": {"mode": "stamps"}, "output": {"min": 2.0, "max": 3.0}}
ANGLE = {"algorithm": "auto", "latency": {"constant_steps": 4}, "signal": {"period": 6.283}}
KINDS = {"plain": settings_of("plain"), "everything": settings_of("everything")}
KINDS |= {name: interface_of(name) for name in SIGNALS}
KINDS |= {"irregular": interface_of(EVENT, "event"), "angle": interface_of(ANGLE)}
KINDS |= {"model event": interface_of("modelled", "event")}


@pytest.fixture(scope="module", params=["plain", "everything"])
def object_file(request, tmp_path_factory):
    """Compile the one file of C without a warning; return the object."""
    output = tmp_path_factory.mktemp("objects") / "couplant.o"
    run([*host_compiler(), *WARNINGS, *EXACT, "-c", library(request.param) / "src" / "couplant.c", "-o", output])
    return output


def test_it_needs_no_function_but_those_that_are_named(object_file):
    text = run([needs("nm"), "-u", object_file])
    assert {line.split()[-1] for line in text.splitlines()} <= NEEDED
    readme = (library("plain") / "README.md").read_text()
    assert {name for name in NEEDED if f"`{name}`" not in readme} == set()


def test_it_shows_its_own_functions_and_nothing_else_and_has_no_global_state(object_file):
    kinds: dict[str, set[str]] = {}
    for line in run([needs("nm"), "--defined-only", object_file]).splitlines():
        _, kind, name = line.split()
        kinds.setdefault(kind, set()).add(name)
    shown = {name for kind, names in kinds.items() if kind.isupper() for name in names}
    assert shown == {f"couplant_{name}" for name in CALLS}
    assert kinds.keys() <= {"t", "T", "r", "d"}, "variables that can be written"
    assert all("table" in name or "rows" in name or "cp_events" in name or "cp_enumerations" in name
               for name in kinds.get("d", ())), "constants with addresses, which a target places once"


def test_the_header_tells_each_function():
    text = (library("plain") / "src" / "couplant.h").read_text()
    told = re.findall(r"\*/\n(?:couplant_status|const char \*)\s*couplant_(\w+)\(", text)
    assert sorted(told) == sorted(CALLS)


@pytest.mark.landing("compiles the whole kernel as C++")
def test_it_is_cpp_too(tmp_path):
    """As C++20; the header and programs around it from C++11 on, on which libraries of C are used."""
    source = library("everything") / "src"
    program = tmp_path / "program.cpp"
    program.write_text((library("everything") / "examples" / "main.c").read_text())
    flags = ["-ffp-contract=off", "-fno-math-errno", f"-I{source}"]
    run([*cpp(), "-std=c++20", "-x", "c++", "-c", source / "couplant.c", *flags, "-o", tmp_path / "whole.o"])
    run([*host_compiler(), *EXACT, "-std=c99", "-c", source / "couplant.c", "-o", tmp_path / "couplant.o"])
    run([*host_compiler(), "-std=c99", "-c", source / "couplant_bench.c", "-o", tmp_path / "settings.o"])
    strict = ["-std=c++11", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
    objects = [tmp_path / "couplant.o", tmp_path / "settings.o"]
    run([*cpp(), *strict, *flags, program, *objects, "-o", tmp_path / "program", "-lm"])
    assert run([tmp_path / "program"]).strip() == told(library("everything"))


def cpp():
    """Return a compiler of C++: that of the system, else zig's."""
    if found := shutil.which("g++"):
        return [found]
    needs_zig()
    return [sys.executable, "-m", "ziglang", "c++"]


def told(folder):
    """Return what the first line of the example says that it prints."""
    return re.match(r"/\*.*; prints: (.*) \*/\n", (folder / "examples" / "main.c").read_text())[1]


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", KINDS)
def test_the_example_prints_what_its_first_line_says(tmp_path, kind):
    written = write_c_library(KINDS[kind], tmp_path)
    text = (tmp_path / "examples" / "main.c").read_text()
    assert len(text.splitlines()) <= 20
    sources = [tmp_path / name for name in written.files if name.startswith("src/") and name.endswith(".c")]
    flags = [*WARNINGS, "-O0", "-ffp-contract=off", "-fno-math-errno", f"-I{tmp_path / 'src'}"]
    run([*host_compiler(), *flags, tmp_path / "examples" / "main.c", *sources, "-o", tmp_path / "main", "-lm"])
    assert run([tmp_path / "main"]).strip() == told(tmp_path) == written.printed
    words = [float(word) for word in re.findall(r"-?\d+\.\d+", written.printed)]
    received, estimated, true = words
    assert kind == "following" or abs(estimated - true) < abs(received - true), written.printed


@pytest.mark.landing("builds twice by cmake")
def test_cmake_builds_it(tmp_path):
    cmake = needs("cmake")
    folder = tmp_path / "library"
    shutil.copytree(library("plain"), folder)
    run([cmake, "-S", folder, "-B", tmp_path / "build", "-DCMAKE_BUILD_TYPE=Release"])
    run([cmake, "--build", tmp_path / "build"])
    assert run([tmp_path / "build" / "late_sine"]).strip() == told(folder)


AROUND = """
#include <stdio.h>
int main(void)
{
    double estimate = 0.0;
    for (int n = begin() == 0 ? 0 : 100; n < 50; n++) {
        estimate = cycle(n * 0.01, n - 3.0);
    }
    return printf("%.3f\\n", estimate) < 0;
}
"""


def test_the_lines_of_the_page_run(tmp_path):
    """On a ramp, 3 macro steps late: what it is at the end of the step."""
    write_c_library(parse_interface(tomlkit.parse(INTERFACE).unwrap(), "tests"), tmp_path)
    (block,) = (block for block in blocks("docs/c_library.md") if block.language == "c")
    (tmp_path / "page.c").write_text(block.text + AROUND)
    sources = [tmp_path / "page.c", *sorted((tmp_path / "src").glob("*.c"))]
    flags = [*WARNINGS, "-O0", *EXACT[1:], f"-I{tmp_path / 'src'}"]
    run([*host_compiler(), *flags, *sources, "-o", tmp_path / "page", "-lm"])
    assert run([tmp_path / "page"]).strip() == "50.000"


SKETCH = """
#include <math.h>
#include <stdio.h>
#include <string>
struct { void begin(long) {} void println(const char *text) { puts(text); } } Serial;
#include "late_sine.ino"
int main() { setup(); loop(); }
"""


@pytest.mark.landing("compiles the kernel for a sketch")
def test_the_sketch_prints_the_same(tmp_path):
    folder = library("plain")
    (tmp_path / "sketch.cpp").write_text(SKETCH)
    objects = [tmp_path / "couplant.o", tmp_path / "settings.o"]
    for name, output in zip(("couplant.c", "couplant_bench.c"), objects, strict=True):
        run([*host_compiler(), *EXACT, "-std=c99", "-c", folder / "src" / name, "-o", output])
    includes = [f"-I{folder / 'src'}", f"-I{folder / 'examples' / 'late_sine'}"]
    run([*cpp(), "-std=c++11", *includes, tmp_path / "sketch.cpp", *objects, "-o", tmp_path / "sketch", "-lm"])
    assert run([tmp_path / "sketch"]).strip() == told(folder)
    described = json.loads((folder / "library.json").read_text())
    assert described["name"] == "couplant_bench" and "-ffp-contract=off" in described["build"]["flags"]
    assert "architectures=*\n" in (folder / "library.properties").read_text()


def test_names_that_would_be_equal_in_c_are_refused(tmp_path):
    signals = {"a": {"unit": "N"}, "a_y": {}}
    twice = parse_interface({"interface": {"name": "b", "macro_step": 0.01}, "signals": signals}, "tests")
    with pytest.raises(UsageError, match=r"signals.a, signals.a_y: both have b_a_y in C"):
        write_c_library(twice, tmp_path / "out")
    taken = parse_interface({"interface": {"name": "Couplant", "macro_step": 0.01}, "signals": {"a": {}}}, "tests")
    with pytest.raises(UsageError, match=r"interface\.name = Couplant"):
        write_c_library(taken, tmp_path / "out")
    python = parse_interface(
        {"interface": {"name": "b", "macro_step": 0.01}, "signals": {"a": {"algorithm": "recursive_fir"}}}, "tests"
    )
    with pytest.raises(UsageError, match="native backend does not have it"):
        write_c_library(python, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_handles_are_those_that_names_find():
    interface = interface_of("everything")
    one = code_signals(interface)[0]
    numbers = dict(re.findall(r"^    (\w+) = (\d+), /\*", header("h", [one], False), re.MULTILINE))
    with Served() as served:
        assert served.open(one.lists)[0] == OK
        for name, constant in one.handles().items():
            assert served.call("find", name) == (OK, numbers[constant])
        assert served.call("find", "nonsense") == (REFUSED, "0")
        assert served.call("why")[1] == "nonsense is no variable of this signal"


@pytest.mark.night("compiles with another compiler")
def test_another_compiler_warns_of_nothing(tmp_path):
    needs_zig()
    for parts in ("plain", "everything"):
        source = library(parts) / "src" / "couplant.c"
        zig = [sys.executable, "-m", "ziglang", "cc"]
        command = [*zig, *WARNINGS, *EXACT, "-c", str(source), "-o", str(tmp_path / "o")]
        done = commands.run(command, env=environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
