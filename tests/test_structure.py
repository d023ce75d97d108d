"""The structure that everything stands on: stages, one-way dependencies, documented arguments, short pieces."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RUNTIME = ROOT / "fmu_src" / "couplant_runtime"
KERNEL = ROOT / "fmu_src" / "kernel"
FMI = ROOT / "fmu_src" / "fmi"
VECTORS = ROOT / "tests" / "vectors"
GENERATED_NUMBERS = ("algorithms.py", "events.py", "numbers.py")
"""Generated lists of numbered names."""

EMPTY_WORDS = {"the", "a", "an", "of", "it", "its", "to", "for", "in", "with", "section", "name", "value"}
STAGES = ("latency", "history", "quality", "discontinuity", "switching", "algorithm", "energy", "reconstruction")
SOURCES = sorted([*RUNTIME.rglob("*.py"), *(ROOT / "builder").rglob("*.py")])
FORBIDDEN_CALLS = {"sum", "fsum", "pow", "eval", "exec", "open", "print"}
OPTIONS = {"AsJson", "Assignments", "Erlang", "HostOption", "Least"}
OPTIONS |= {"Output", "Picture", "RunsFolder", "RunsPicture", "Decimal", "Delimiter", "TimeColumn", "TimeUnit"}
OPTIONS |= {"Force", "Latency", "MacroStep", "Open"}
"""Options of several verbs, which carry their help in `cli/output.py`."""

SELF_EXPLAINING = {"self", "cls", "c", "s"}
"""The settings and the state of the runtime are called c and s everywhere."""


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path):
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def test_the_readme_opens_with_the_pipeline():
    assert " -> ".join(STAGES) in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_step_function_reads_as_the_pipeline():
    (pipeline,) = (
        node
        for node in ast.walk(tree(RUNTIME / "step.py"))
        if isinstance(node, ast.FunctionDef) and node.name == "pipeline"
    )
    statements = [node for node in pipeline.body if not isinstance(node.value, ast.Constant)]
    assert [ast.unparse(node) for node in statements] == [f"{stage}(c, s)" for stage in STAGES]


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_has_a_module_and_a_test(stage):
    assert (RUNTIME / "stages" / f"{stage}.py").is_file()
    assert list((ROOT / "tests").glob(f"*/test_{stage}.py")), "no test mirrors this stage"


@pytest.mark.skipif(not KERNEL.is_dir(), reason="no C kernel yet")
@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_has_a_c_file(stage):
    assert (KERNEL / "stages" / f"{stage}.c").is_file()


@pytest.mark.skipif(not KERNEL.is_dir(), reason="no C kernel yet")
def test_the_step_function_in_c_reads_as_the_pipeline():
    text = (KERNEL / "step.c").read_text(encoding="utf-8")
    (body,) = re.findall(r"\bcp_pipeline\([^)]*\)\n\{\n(.*?)\n\}", text, flags=re.DOTALL)
    assert [line.strip() for line in body.splitlines()] == [f"cp_{stage}(c, s);" for stage in STAGES]


@pytest.mark.skipif(not VECTORS.is_dir(), reason="no vectors yet")
@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_has_vectors(stage):
    assert list(VECTORS.glob(f"{stage}*"))


@pytest.mark.parametrize("path", sorted(RUNTIME.rglob("*.py")), ids=name_of)
def test_the_runtime_imports_the_standard_library_and_its_own_modules_only(path):
    depth = len(path.relative_to(RUNTIME).parts)
    for name in imports(path):
        if name.startswith("."):
            assert len(name) - len(name.lstrip(".")) <= depth, f"{name} leaves the runtime"
        else:
            assert name.split(".")[0] in sys.stdlib_module_names, name


@pytest.mark.parametrize("path", sorted(RUNTIME.rglob("*.py")), ids=name_of)
def test_the_runtime_uses_nothing_that_differs_between_pythons_or_has_no_twin_in_c(path):
    for node in ast.walk(tree(path)):
        assert not isinstance(node, ast.Pow), "** calls the pow of the platform"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, node.func.id
        if isinstance(node, ast.ImportFrom) and node.module == "math":
            assert {alias.name for alias in node.names} <= {"sqrt"}, "libm differs between platforms"


def test_the_runtime_does_not_know_the_builder():
    assert not [p for p in RUNTIME.rglob("*.py") for name in imports(p) if name.split(".")[0] == "couplant"]


@pytest.mark.skipif(not KERNEL.is_dir(), reason="no C kernel yet")
def test_the_kernel_does_not_know_the_fmi_face():
    faces = {path.name for path in FMI.glob("*.h")}
    for path in [*KERNEL.glob("*.c"), *KERNEL.glob("*.h")]:
        included = {Path(name).name for name in re.findall(r'#include "([^"]+)"', path.read_text(encoding="utf-8"))}
        assert not included & faces, path.name


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_files_and_functions_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 400 or path.parent.name == "generated"
    for node in ast.walk(tree(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert lines_of_code(node) <= 40, f"{node.name} has {lines_of_code(node)} lines"


def lines_of_code(function):
    docstring = function.body[0] if ast.get_docstring(function) is not None else None
    text = 0 if docstring is None else docstring.end_lineno - docstring.lineno + 1
    return function.end_lineno - function.lineno + 1 - text


def public_functions(path):
    for node in tree(path).body:
        inner = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else [node]
        for item in inner:
            if isinstance(item, ast.FunctionDef) and not item.name.startswith("_"):
                yield item


NUMBERS = re.compile(r"\b(float|int|bool|complex|Any|\w*Array\w*|ndarray|Vector|Matrix)\b")
"""Types that leave meaning, unit, shape and range open: arguments of these types are documented."""


def arguments(function):
    """Return the names of the arguments whose type does not say all there is to know."""
    every = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    types = {a.arg: "Any" if a.annotation is None else ast.unparse(a.annotation) for a in every}
    return [name for name, text in types.items() if name not in SELF_EXPLAINING and NUMBERS.search(text)]


def documented(function):
    """Return the texts under Parameters by name; an Option or Argument of the command line carries its own help."""
    text = ast.get_docstring(function) or ""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]*\n-+\n|\Z)", text, flags=re.DOTALL | re.MULTILINE)
    lines = section[1] + "\n" if section else ""
    entries = re.findall(r"^(\*{0,2}\w[\w, *]*?)(?: :.*)?\n((?: +.*\n?|\n)*)", lines, flags=re.MULTILINE)
    return {name.strip(" *"): words for names, words in entries for name in names.split(",")}


def mentioned(function):
    """Return the arguments that have an entry, or stand in backticks in the text."""
    text = ast.get_docstring(function) or ""
    return [name for name in arguments(function) if name in documented(function) or f"`{name}`" in text]


def documented_somewhere():
    """Return (method, argument) pairs that some class documents: overriding methods need not repeat them."""
    return {(f.name, name) for path in SOURCES for f in public_functions(path) for name in mentioned(f)}


@pytest.fixture(scope="module")
def at_a_base():
    return documented_somewhere()


@pytest.mark.parametrize("path", [p for p in SOURCES if "cli" not in p.parts], ids=name_of)
def test_every_number_is_documented(path, at_a_base):
    missing = [
        f"{function.name}({name})"
        for function in public_functions(path)
        for name in arguments(function)
        if not (is_method(function) and (function.name, name) in at_a_base)
        and name not in mentioned(function)
    ]
    assert not missing


def words_of(text):
    """Return the words of a text or a name, in lower case and without a plural s."""
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower()
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", apart)}


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_no_entry_only_repeats_the_name_of_its_argument(path):
    hollow = []
    for function in public_functions(path):
        texts = documented(function)
        for argument in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]:
            said = words_of(texts.get(argument.arg, ""))
            known = words_of(argument.arg) | words_of(ast.unparse(argument.annotation) if argument.annotation else "")
            if argument.arg in texts and not said - known - EMPTY_WORDS:
                hollow.append(f"{function.name}({argument.arg}): {texts[argument.arg].strip()}")
    assert not hollow


@pytest.mark.parametrize("path", sorted(RUNTIME.rglob("*.py")), ids=name_of)
def test_every_constant_of_the_runtime_has_words(path):
    """A number has a comment on its line or a docstring below it, with its unit; what has none is private or a name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    body = tree(path).body
    bare = [
        ast.unparse(node)
        for node, after in zip(body, [*body[1:], None], strict=True)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple))
        and any(isinstance(getattr(part, "value", None), (int, float)) for part in ast.walk(node.value))
        and "#" not in lines[node.end_lineno - 1]
        and not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant))
        and path.name not in GENERATED_NUMBERS
    ]
    assert bare == []


def is_method(function):
    return bool(function.args.args) and function.args.args[0].arg in ("self", "cls")


@pytest.mark.parametrize("path", sorted((ROOT / "builder" / "couplant" / "cli").glob("*.py")), ids=name_of)
def test_every_argument_of_a_verb_carries_its_help(path):
    for function in public_functions(path):
        if function.name == "command":
            for argument in function.args.args:
                text = ast.unparse(argument.annotation)
                assert "help=" in text or text in OPTIONS, argument.arg


def test_no_absolute_path_and_no_host_is_committed_with_the_requirements():
    for path in ROOT.glob("requirements*.txt"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"://|^\s*-|(?<![\w.])/\w", text.replace("--hash=", ""), flags=re.MULTILINE), path.name


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_pages_that_are_named_exist(path):
    named = re.findall(r"`((?:docs|examples|resources)/[\w./*]+)`", path.read_text(encoding="utf-8"))
    assert all(list(ROOT.glob(name)) for name in named)
