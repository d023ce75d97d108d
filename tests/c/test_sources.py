"""Source FMUs: compiled without a warning, linked into one program, the same bits as the binaries."""

import os
import random
import re
import shutil
import struct
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from fmpy import read_model_description, simulate_fmu
from fmpy.build import build_platform_binary

from couplant.config import parse_interface
from couplant.pack import build_coupling_fmu, build_model_fmu
from couplant.pack.binaries.compile import host_compiler
from couplant.pack.binaries.platforms import host
from tests import commands, prototypes
from tests.c.programs import HEADERS, HERE, WARNINGS, missing, run
from tests.c.test_loader import Unpacked
from tests.native import OK, Native

EXACT = ["-ffp-contract=off", "-fno-math-errno"]
FLAGS = ["-O2", *EXACT]
UNOPTIMISED = ["-O0", *EXACT]
"""Where a name or the language alone is asked for: what optimising finds is found with `FLAGS` in the same sources."""
SIGNALS = {
    "one": ("2", {"algorithm": "eros4", "latency": {"constant_steps": 5}}),
    "two": ("3", {"algorithm": "foh", "latency": {"constant_steps": 2}, "discontinuity": {"enabled": True}}),
    "net": ("2", {"algorithm": "network", "latency": {"constant_steps": 3}}),
}

MODELS = [f"{name}-{fmi}" for name in prototypes.MODELS for fmi in "23"]
EVERY = [*SIGNALS, *MODELS]


@pytest.fixture(scope="module")
def fmus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    signals = {name: signal for name, (_, signal) in SIGNALS.items()}
    interface = parse_interface({"interface": {"name": "rack", "macro_step": 0.01}, "signals": signals}, "sources")
    built = {}
    for name, (fmi, _) in SIGNALS.items():
        path = build_coupling_fmu(interface, name, folder / name, fmi=fmi, sources=True)
        built[name] = Unpacked(path, folder / name / "unpacked")
    for key in MODELS:
        name, fmi = key.split("-")
        path = build_model_fmu(prototypes.model(name), folder / key, fmi=fmi, sources=True)
        built[key] = Unpacked(path, folder / key / "unpacked")
    return built


@cache
def compiled(unpacked):
    """Compile `sources/all.c` as an importer does, with headers of the FMU's own; return the object file."""
    output = unpacked.folder.with_name("all.o")
    source = unpacked.folder / "sources" / "all.c"
    command = [*host_compiler(), *WARNINGS, *FLAGS, "-c", str(source), "-o", str(output)]
    done = commands.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return output


@pytest.mark.landing("compiles all sources")
@pytest.mark.sample(2)
@pytest.mark.parametrize("name", MODELS)
def test_a_model_from_its_sources_gives_the_bits_of_its_binary(fmus, tmp_path, name):
    unpacked, plain = fmus[name], f"-DFMI{fmus[name].fmi}_OVERRIDE_FUNCTION_PREFIX"
    expected = simulate_fmu(str(unpacked.path), stop_time=2.0, output_interval=0.02)
    folder = shutil.copytree(unpacked.folder, tmp_path / "fmu")
    library = folder / unpacked.arguments(host())[1].relative_to(unpacked.folder)
    library.unlink()
    run([*host_compiler(), *FLAGS, plain, "-shared", "-fPIC", folder / "sources" / "all.c", "-o", library])
    assert simulate_fmu(str(folder), stop_time=2.0, output_interval=0.02).tobytes() == expected.tobytes()


@pytest.mark.landing("compiles all sources")
def test_two_in_one_program_give_the_bits_of_their_binaries(fmus, tmp_path):
    one, two = fmus["one"], fmus["two"]
    objects = [compiled(fmu) for fmu in (one, two)]
    names = [f"-DONE={one.name}", f"-DTWO={two.name}"]
    program = tmp_path / "linked"
    run([*host_compiler(), *WARNINGS, *HEADERS, *names, HERE / "linked.c", *objects, "-o", program])
    chance = random.Random(3)
    values = [chance.uniform(-1.0, 1.0) + (n > 100) for n in range(300)]
    text = "".join(f"{struct.unpack('<Q', struct.pack('<d', value))[0]:x}\n" for value in values)
    printed = run([program, one.token, two.token], text).split()
    assert printed[0::2] == stepped(one, tmp_path / "b1", values)
    assert printed[1::2] == stepped(two, tmp_path / "b2", values)


def stepped(unpacked, folder, values):
    """Return y_hat of the binary after each step, in bits."""
    instance = Native(unpacked.path, folder).initialise()
    bits = []
    for n, value in enumerate(values):
        assert instance.set("y", value) == OK and instance.step(0.01 * n, 0.01) == OK
        bits.append(struct.pack(">d", instance.get("y_hat")).hex())
    instance.free()
    return bits


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", EVERY)
def test_nothing_but_prefixed_functions_of_the_standard_is_global(fmus, name):
    unpacked = fmus[name]
    text = run(["nm", "-g", "--defined-only", compiled(unpacked)])
    symbols = [line.split()[-1] for line in text.splitlines() if line.strip()]
    assert symbols and all(re.fullmatch(rf"{unpacked.name}_fmi{unpacked.fmi}\w+", symbol) for symbol in symbols)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", EVERY)
def test_no_file_is_opened(fmus, name):
    text = run(["nm", "-u", compiled(fmus[name])])
    assert not re.search(r"fopen|fread|printf|malloc", text)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("define", ["FMI{fmi}_OVERRIDE_FUNCTION_PREFIX", "DISABLE_PREFIX", "{name}_EXPORTS"])
def test_without_the_prefix_where_importers_ask_for_it(fmus, tmp_path, name, define):
    """In the words of the standard, of fmutool, and of CMake, which says so for every library that it builds."""
    unpacked = fmus[name]
    source, output = unpacked.folder / "sources" / "all.c", tmp_path / "plain.o"
    words = "-D" + define.format(fmi=unpacked.fmi, name=unpacked.name)
    run([*host_compiler(), *WARNINGS, *UNOPTIMISED, words, "-c", source, "-o", output])
    assert f" T fmi{unpacked.fmi}DoStep" in run(["nm", "-g", output])


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", EVERY)
def test_sources_are_cpp_too(fmus, tmp_path, name):
    source = fmus[name].folder / "sources" / "all.c"
    command = [*cpp(), "-x", "c++", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror", *UNOPTIMISED]
    run([*command, "-c", source, "-o", tmp_path / "plain.o"])


def cpp():
    """Return the command of a C++ compiler; GCC has C++ only where it is installed besides."""
    named = next((name for name in ("g++", "clang++") if shutil.which(name)), None)
    return [named] if named else missing("g++")


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", EVERY)
def test_what_fmpy_compiles_runs_and_gives_the_bits_of_the_binary(fmus, tmp_path, monkeypatch, name):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if shutil.which("cmake") is None:
        missing("cmake")
    unpacked, binary = fmus[name], fmus[name].arguments(host())[1]
    folder = shutil.copytree(unpacked.folder, tmp_path / "fmu")
    library = folder / binary.relative_to(unpacked.folder)
    library.unlink()
    (tmp_path / "build").mkdir()
    build_platform_binary(folder, tmp_path / "build")
    assert library.is_file() and library.read_bytes() != binary.read_bytes()
    inputs = ramp(read_model_description(str(folder)))
    folders = folder, unpacked.folder
    found, expected = (simulate_fmu(str(at), stop_time=1.0, output_interval=0.01, input=inputs) for at in folders)
    assert found.tobytes() == expected.tobytes()


def ramp(description):
    """Return a course of the first real input, the same for every FMU."""
    name = next(v.name for v in description.modelVariables if v.causality == "input")
    time = np.arange(101) * 0.01
    return np.rec.fromarrays([time, np.where(time < 0.5, time, 2.0 - time)], names=["time", name])
