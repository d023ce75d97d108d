"""Any call of the C library in any order with any values: no report of a sanitizer, and what has to hold holds."""

import os
import re

import pytest

from couplant.pack.binaries.platforms import host
from tests import commands
from tests.c.programs import CACHE, run
from tests.library.driver import HERE, compiled, library

RUNS = int(os.environ.get("COUPLANT_FUZZ_RUNS", "15"))
SEED = int(os.environ.get("COUPLANT_FUZZ_SEED", "20260101"))
CHECKS = "-O1 -g1 -fno-omit-frame-pointer -fno-sanitize-recover=all -fsanitize=address,undefined,float-cast-overflow"

# mistakes that have to be found: what stands in the file, what would be wrong, how it is found
PLANTED = {
    "kept": (
        "            cp_take_back(c, handles, before, i);\n            return false;",
        "            return false;",
        "a refused call changed something",
    ),
    "together": (
        "        cp_take_back(c, handles, before, n);\n        return false;",
        "        return false;",
        "a refused call changed something",
    ),
    "handle": (
        "reference >= 1 && reference <= (uint32_t)c->n_variables ?",
        "reference >= 1 && reference <= (uint32_t)c->n_variables + 1 ?",
        "a handle that is none was taken",
    ),
    "checksum": (
        "if (memcmp(bytes, expected, sizeof expected) != 0) {",
        "if (memcmp(bytes, expected, 24) != 0) {",
        "a damaged state was taken",
    ),
    "preview": (
        "cp_coupling_refresh(&c->settings, c->preview, true);",
        "cp_coupling_refresh(&c->settings, c->state, true);",
        "a read changed something",
    ),
}

pytestmark = pytest.mark.skipif("linux" not in host().name, reason="sanitizers of gcc")


@pytest.mark.landing("a program with sanitizers")
def test_nothing_is_found():
    program = compiled(HERE / "fuzz.c", "everything", *CHECKS.split())
    refusals = int(re.fullmatch(r"(\d+) refusals\n", run([program, RUNS, SEED], timeout=100 + 10 * RUNS))[1])
    assert refusals > 100 * RUNS


@pytest.mark.night("the same with a fresh seed")
def test_nothing_is_found_with_a_fresh_seed():
    seed = int.from_bytes(os.urandom(4))
    print(f"seed {seed}")
    run([compiled(HERE / "fuzz.c", "everything", *CHECKS.split()), 200, seed], timeout=3000)


@pytest.mark.sample(1, rest="night")
@pytest.mark.parametrize("name", PLANTED)
def test_planted_mistakes_are_found(name):
    there, instead, found = PLANTED[name]
    folder = CACHE / f"c_library-planted-{name}"
    folder.mkdir(parents=True, exist_ok=True)
    text = (library("everything") / "src" / "couplant.c").read_text()
    assert text.count(there) == 1
    (folder / "couplant.c").write_text(text.replace(there, instead))
    for header in ("couplant.h", "couplant_bench.h", "couplant_bench.c"):
        (folder / header).write_text((library("everything") / "src" / header).read_text())
    program = compiled(HERE / "fuzz.c", "everything", "-O1", f"-I{folder}")
    done = commands.run([program, "40", str(SEED)], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode != 0 and found in done.stderr, done.stdout + done.stderr
