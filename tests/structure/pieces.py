"""Short pieces with documented arguments; what is named in pages and requirements; how tests start commands."""

import ast
import re

from tests.structure.house import documented, every_argument, public_functions

LONGEST_FILE = 400
LONGEST_FUNCTION = 40
EMPTY_WORDS = {"the", "a", "an", "of", "it", "its", "to", "for", "in", "with", "section", "name", "value"}
NUMBERS = re.compile(r"\b(float|int|bool|complex|Any|\w*Array\w*|ndarray|Vector|Matrix)\b")
"""Types that leave meaning, unit, shape and range open: arguments of these types are documented."""

SELF_EXPLAINING = {"self", "cls", "c", "s"}
"""The settings and the state of the runtime are called c and s everywhere."""

OPTIONS = {"AsJson", "Assignments", "Erlang", "Host", "Least"}
OPTIONS |= {"Output", "Picture", "RunsFolder", "RunsPicture", "Decimal", "Delimiter", "TimeColumn", "TimeUnit"}
OPTIONS |= {"Anywhere", "Fmi", "Judge", "OneAlgorithm", "Platform", "Scenario", "Signal", "Sources", "WeightsInto"}
OPTIONS |= {"Force", "Jitter", "Latency", "Loss", "MacroStep", "Open", "Receives", "Seed", "Sends"}
OPTIONS |= {"Column", "Latencies", "ManySteps", "StepOfLatency", "Steps"}
"""Options of several verbs, which carry their help in `cli/options.py`."""

VERBS = {"command", "demo", "export", "lag", "macro_step_command", "router", "schema", "validate", "workbench"}
"""Functions that are verbs: `PLACES` of `cli/__init__.py`."""


def lines_of_code(function):
    """Return the lines of a function without its docstring."""
    docstring = function.body[0] if ast.get_docstring(function) is not None else None
    text = 0 if docstring is None else docstring.end_lineno - docstring.lineno + 1
    return function.end_lineno - function.lineno + 1 - text


def short(house):
    """Files and functions are short."""
    for path in house.sources:
        lines = len(house.text(path).splitlines())
        if lines >= LONGEST_FILE and path.parent.name != "generated":
            yield f"{house.name(path)}: {lines} lines, allowed below {LONGEST_FILE}"
        for node in ast.walk(house.tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines_of_code(node) > LONGEST_FUNCTION:
                yield f"{house.name(path)}:{node.lineno}: {node.name} has {lines_of_code(node)} lines"


def number_arguments(function):
    """Return the names of the arguments whose type does not say all there is to know."""
    types = {a.arg: "Any" if a.annotation is None else ast.unparse(a.annotation) for a in every_argument(function)}
    return [name for name, text in types.items() if name not in SELF_EXPLAINING and NUMBERS.search(text)]


def mentioned(function):
    """Return the arguments that have an entry, or stand in backticks in the text."""
    text, entries = ast.get_docstring(function) or "", documented(function)
    return {name for name in number_arguments(function) if name in entries or f"`{name}`" in text}


def numbers_are_documented(house):
    """Every argument that is a number is documented; overriding methods need not repeat what a base says."""
    functions = {path: [*public_functions(house.tree(path))] for path in house.sources}
    at_a_base = {(f.name, name) for members in functions.values() for f in members for name in mentioned(f)}
    for path in [path for path in house.sources if "cli" not in path.parts]:
        for function in functions[path]:
            method = bool(function.args.args) and function.args.args[0].arg in ("self", "cls")
            for name in set(number_arguments(function)) - mentioned(function):
                if not (method and (function.name, name) in at_a_base):
                    yield f"{house.name(path)}:{function.lineno}: {function.name}({name}) is not documented"


def words_of(text):
    """Return the words of a text or a name, in lower case and without a plural s."""
    apart = re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower()
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", apart)}


def entries_say_something(house):
    """No entry only repeats the name of its argument."""
    for path in house.sources:
        for function in public_functions(house.tree(path)):
            texts = documented(function)
            for argument in every_argument(function):
                annotation = ast.unparse(argument.annotation) if argument.annotation else ""
                known = words_of(argument.arg) | words_of(annotation)
                said = words_of(texts.get(argument.arg, ""))
                if argument.arg in texts and not said - known - EMPTY_WORDS:
                    yield f"{house.name(path)}:{function.lineno}: {function.name}({argument.arg}) repeats its name only"


def verbs_carry_help(house):
    """Every argument of a verb carries its help."""
    for path in sorted((house.package / "cli").glob("*.py")):
        for function in [f for f in public_functions(house.tree(path)) if f.name in VERBS]:
            for argument in function.args.args:
                text = ast.unparse(argument.annotation)
                if "help=" not in text and text.removeprefix("options.") not in OPTIONS:
                    yield f"{house.name(path)}:{function.lineno}: {argument.arg} has no help"


def requirements_name_no_place(house):
    """Pinned requirements have no host and no absolute path."""
    for path in sorted(house.root.glob("requirements*.txt")):
        text = house.text(path).replace("--hash=", "")
        for match in re.finditer(r"://|^\s*-|(?<![\w.])/\w", text, flags=re.MULTILINE):
            yield f"{path.name}:{text.count(chr(10), 0, match.start()) + 1}: {match[0].strip()}"


def named_pages_exist(house):
    """Pages that are named in the documentation exist."""
    for path in sorted((house.root / "docs").rglob("*.md")):
        for name in re.findall(r"`((?:docs|examples|resources)/[\w./*]+)`", house.text(path)):
            if not list(house.root.glob(name)):
                yield f"{house.name(path)}: {name} does not exist"


SCRATCH = {"base/isolation.py", "elsewhere/ssp/fmus.py", "pack/binaries/compile.py", "sweep/advice.py"}
"""Modules that write into scratch folders of their own."""


def opens_for_writing(node):
    """Tell whether a call writes a file: by a method of paths, or opened in a mode with w, a, x or +."""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    texts = [one.value for one in [*node.args, *(key.value for key in node.keywords)] if isinstance(one, ast.Constant)]
    modes = [text for text in texts if isinstance(text, str) and re.fullmatch(r"[rwaxbt+]{1,4}", text)]
    return name in ("write_text", "write_bytes") or (name == "open" and any(set(mode) & set("wax+") for mode in modes))


def one_way_to_write(house):
    """Files are written by `couplant.base.files`, which knows links, modes, devices and what is half-written."""
    package = house.root / "builder" / "couplant"
    for path in house.sources:
        if not path.is_relative_to(package) or path.relative_to(package).as_posix() in {*SCRATCH, "base/files.py"}:
            continue
        for node in ast.walk(house.tree(path)):
            if isinstance(node, ast.Call) and opens_for_writing(node):
                yield f"{house.name(path)}:{node.lineno}: writes a file, allowed by couplant.base.files only"


def one_way_to_start(house):
    """Tests start commands by `tests/commands.py`, which restores signals and limits them in time."""
    for path in sorted((house.root / "tests").rglob("*.py")):
        if path.name != "commands.py":
            for node in ast.walk(house.tree(path)):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in ("subprocess.run", "subprocess.Popen"):
                    yield f"{house.name(path)}:{node.lineno}: {ast.unparse(node.func)}, allowed tests.commands"


RULES = (
    short,
    numbers_are_documented,
    entries_say_something,
    verbs_carry_help,
    requirements_name_no_place,
    named_pages_exist,
    one_way_to_start,
    one_way_to_write,
)
