"""Without an operating system: what the compiler finds missing, what a step can reach, and how deep its stack is."""

import re

import pytest

from benchmarks import realtime
from couplant.pack.binaries.platforms import host
from couplant_runtime.generated.algorithms import MEMBERS
from tests.c.call_graph import BUILDS, HOST, NATIVE, SOURCES, Graph, freestanding, graph
from tests.c.programs import ROOT, run

pytestmark = [pytest.mark.needs_system("nm"), pytest.mark.skipif("linux" not in host().name, reason="asks gcc")]
NEEDED = {"memcmp", "memcpy", "memmove", "memset", "strcmp", "strlen", "strncmp", "calloc", "free"}
"""All that the target has to bring; `docs/realtime.md` names them."""

ALLOCATION = {"calloc", "free", "malloc", "realloc"}
ONCE = ("Instantiate", "FreeInstance", "GetFMUstate", "FreeFMUstate", "DeSerializeFMUstate")
ONCE3 = ("InstantiateCoSimulation", "FreeInstance", "GetFMUState", "FreeFMUState", "DeserializeFMUState")
"""What may allocate: instances and saved states."""

MOST = 12_000
"""Most bytes on the stack under any function of FMI, whatever the compiler."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_nothing_is_missing_but_what_is_named(fmi, build):
    text = run(["nm", "-u", freestanding(fmi, build)])
    assert {line.split()[-1] for line in text.splitlines()} <= NEEDED
    assert {name for name in NEEDED if f"`{name}`" not in page()} == set()


@pytest.mark.sample(3)
@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_nothing_that_allocates_is_reached_by_a_run(fmi, build):
    found, once = graph(fmi, build), ONCE if fmi == "2" else ONCE3
    entries = {name for name in found.frames if name.startswith(f"fmi{fmi}")}
    allowed = {f"fmi{fmi}{name}" for name in once}
    assert allowed <= entries and f"fmi{fmi}DoStep" in entries - allowed
    assert {name for name in entries if found.reached(name) & ALLOCATION} == allowed


@pytest.mark.parametrize("fmi", ["2", "3"])
def test_a_step_reaches_every_algorithm_and_the_logger_and_nothing_else_outside(fmi):
    found = graph(fmi)
    reached = found.reached(f"fmi{fmi}DoStep")
    assert {f"cp_{row.module or row.name}_line" for row in NATIVE} <= reached
    outside = {name for name in reached if name not in found.frames}
    assert outside <= (NEEDED - ALLOCATION) | {HOST}
    assert HOST in outside and "memcpy" in outside


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_nothing_calls_itself_and_the_stack_is_small(fmi, build):
    found = graph(fmi, build)
    depths = {name: found.deepest(name) for name in found.frames if name.startswith(f"fmi{fmi}")}
    assert {name: depth for name, depth in depths.items() if depth[0] > MOST} == {}
    assert depths[f"fmi{fmi}DoStep"][0] > 1000


def test_one_algorithm_alone_reaches_no_other():
    reached = graph(algorithms=["eros3"]).reached("cp_algorithm_row", "fmi3DoStep")
    assert "cp_eros3_line" in reached and "cp_smb_line" not in reached
    members = {f"cp_{name}_line" for name in MEMBERS}
    assert members <= graph(algorithms=["auto"]).reached("fmi3DoStep")


def test_recursion_and_allocation_are_found():
    found = Graph({"a": 8, "b": 16, "c": 4}, {"a": {"b"}, "b": {"calloc", "c"}})
    assert found.deepest("a") == (28, ("a", "b", "c"))
    assert "calloc" in found.reached("a") and "calloc" not in found.reached("c")
    found.calls["c"] = {"a"}
    with pytest.raises(RecursionError, match="a -> b -> c -> a"):
        found.deepest("a")


def page():
    return (ROOT / "docs" / "realtime.md").read_text(encoding="utf-8")


def cells(line):
    return [word.strip() for word in line.strip("|").split("|")]


def test_the_page_has_every_algorithm():
    """Figures of time are those of one machine, and not held."""
    rows = [cells(line) for line in realtime.table(page(), "steps")[2:]]
    assert [row[0] for row in rows] == [row.name for row in NATIVE]
    assert all(0 < int(median) <= int(high) <= int(longest) for _, _, median, high, longest in rows)


def test_the_bytes_on_the_page_are_fresh():
    """With the compiler that the page names; with another they are of the same size."""
    told, now = realtime.table(page(), "stack"), realtime.stack_table()
    told += [" | ".join(cells(line)[:2]) for line in realtime.table(page(), "steps")[2:]]
    now += [f"{name} | {size}" for name, size in realtime.estimates().items()]
    same = realtime.version().split(".")[0] == re.search(r"gcc (\d+)\.", told[0])[1]
    if same:
        assert told[1:] == now[1:], "stale: python benchmarks/realtime.py"
    numbers = [[int(word) for line in lines[2:] for word in re.findall(r"\b\d+\b", line)] for lines in (told, now)]
    assert all(max(pair) <= 2 * min(pair) + 64 for pair in zip(*numbers, strict=True))


def test_a_page_without_the_table_is_told():
    with pytest.raises(ValueError, match="has no line <!-- table: stack -->"):
        realtime.put("nothing", "stack", ["| a |"])


RUN = [*SOURCES.glob("base/*.c"), *SOURCES.glob("kernel/**/*.c")]
RUN += [SOURCES / "fmi" / f"{name}.c" for name in ("run", "values", "instance", "snapshot", "fmi2", "fmi3", "coupling")]
BEFORE = ("settings.c", "saved.c")
"""What reads settings, once, and what faces do without."""


def loops(path):
    """Return (head, body) of every loop of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for i, line in enumerate(lines):
        if found := re.match(r"( *)((?:for|while|do)\b.*) \{$", line):
            yield found[2], "\n".join(lines[i + 1 : lines.index(found[1] + "}", i)])


def is_counted(head, body):
    """Is it a loop whose variable counts up or down by one to a limit, and is changed by nothing else?"""
    found = re.fullmatch(r"for \([\w ]+?\b(\w+) = [^;]+; (.*); (.*)\)", head)
    if not found:
        return False
    name, condition, moves = found.groups()
    counts = re.search(rf"\b{name}(\+\+|--)", moves)
    limits = re.search(rf"\b{name} (?:<|<=) " if counts and counts[1] == "++" else rf"\b{name} (?:>|>=) ", condition)
    return bool(counts and limits) and not re.search(rf"\b{name}\s*([-+*/]?=[^=]|\+\+|--)", body)


def test_every_loop_counts_to_a_limit_or_stands_on_the_page():
    heads = [
        (path.relative_to(SOURCES).as_posix(), head)
        for path in sorted(RUN)
        if path.name not in BEFORE
        for head, body in loops(path)
        if not is_counted(head, body)
    ]
    told = re.findall(r"^\| `([\w/]+\.c)` \| `((?:for|while) .*?)` \| .* \|$", page(), re.MULTILINE)
    assert sorted(told) == sorted(set(heads))
    written = sum(len(re.findall(r"^ *(?:for \(|while \(|do \{)", path.read_text(), re.MULTILINE)) for path in RUN)
    assert written == sum(len(list(loops(path))) for path in RUN) > 150


@pytest.mark.parametrize(
    ("head", "body", "counted"),
    [
        ("for (int i = 0; i < 3; i++)", "a[i] = 0;", True),
        ("for (int i = 3; i >= 0; i--)", "", True),
        ("for (int i = 0; i < 3; i++)", "i = 0;", False),
        ("for (int i = 0; i >= 0; i++)", "", False),
        ("for (; x >= 10.0; n++)", "", False),
        ("while (more)", "", False),
    ],
)
def test_loops_without_a_limit_are_found(head, body, counted):
    assert is_counted(head, body) is counted


def test_every_file_of_the_shim_says_what_it_is():
    for path in (SOURCES / "wasm").glob("*.[ch]"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("/* ") and max(map(len, lines)) <= 120
