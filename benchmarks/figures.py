"""The house in figures: ``make figures`` prints them, ``--check`` (in ``make lint``) refuses one that got worse.

A docstring *names no subject* if its first word is one of `OPENINGS`, or its second one of `OBJECTS` ("Return what").
A function *is a bare participle* if its name, without underscores at its ends, is one of `IRREGULAR` or one word in -ed
or -en; properties and what returns a truth value are adjectives, and count as little as the names in `OTHERS`.
A text *names an option* if it stands outside `cli` and the tools that are run as modules, is no docstring, and has a
word like ``--macro-step`` that is not part of a complete command (``couplant VERB ..``).
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "builder" / "couplant"
SOURCES = ROOT / "fmu_src"
CALCULATIONS = ("analysis", "design")
SMALL = 50  # lines

BOUNDS = {
    "entries of builder/couplant": 15,
    "files of couplant": 404,
    "small files of couplant": 41,
    "docstrings without a subject": 0,
    "bare participles": 11,
    "texts that name an option": 0,
    "comments per 1000 lines of analysis and design": 55,
}
"""The ratchet: the most that is allowed, of comments the least. Whoever betters a figure moves its bound along."""

AT_LEAST = {"comments per 1000 lines of analysis and design"}

OPENINGS = frozenset("what those it that whatever whether".split())
OBJECTS = frozenset("what those it whatever".split())
IRREGULAR = frozenset(
    "begun bent borne bought bound bred brought built caught chosen clung dealt done drawn driven dug fed felt found "
    "given gone grown heard held hidden kept known laid led left lent lost made meant met paid said seen sent shown "
    "sold sought spent spun stood struck sunk swept swung taken taught thought told torn understood wept won worn "
    "wound woven".split()
)
OTHERS = frozenset(
    "between even feed flatten green happen heed hidden indeed learnt lengthen listen need needed open proceed screen "
    "seed sorted speed token waterbed widen shorten".split()
)
"""Names in -ed and -en that are verbs or nouns; `sorted` and `needed` mean what Python and the kernel mean by them."""

FOREIGN = frozenset(("--broker_address", "--brokerport", "--federates", "--localinterface", "--localport"))
FOREIGN |= {"--export-dynamic", "--hash-style", "--loglevel", "--no-entry", "--querytimeout", "--tick"}
"""Options of HELICS and of linkers."""

COMMANDS = ("report/sweep.py",)
"""Modules that join complete commands from parts."""


class Lines(NamedTuple):
    """Lines of some files by kind."""

    files: int
    code: int
    comments: int
    blank: int

    @property
    def total(self) -> int:
        return self.code + self.comments + self.blank


def python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def rooms() -> dict[str, list[Path]]:
    """Return the files of each part of the project, by its name."""
    ends = {".py", ".c", ".h", ".js", ".css", ".toml"}
    parts = {"couplant/(ground)": sorted(PACKAGE.glob("*.py"))}
    parts |= {f"couplant/{room.name}": python_files(room) for room in sorted(PACKAGE.iterdir()) if python_files(room)}
    inside = [room for room in sorted(SOURCES.iterdir()) if room.is_dir()]
    for folder in [*inside, ROOT / "tests", ROOT / "workbench"]:
        files = [path for path in sorted(folder.rglob("*")) if path.suffix in ends and path.is_file()]
        parts[folder.relative_to(ROOT).as_posix()] = files
    return parts


def count(paths: list[Path]) -> Lines:
    """Return the lines of files; docstrings are code, a line with code and a comment is code."""
    kinds = [kind for path in paths for kind in kinds_of(path)]
    return Lines(len(paths), *(kinds.count(kind) for kind in ("code", "comment", "blank")))


def kinds_of(path: Path) -> Iterator[str]:
    """Yield of each line of a file if it is code, comment or blank."""
    hashed = path.suffix in (".py", ".toml")
    inside = False
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        text = line.strip()
        if not text:
            yield "blank"
        elif hashed:
            yield "comment" if text.startswith("#") else "code"
        else:
            begins = not inside and text.startswith("/*")
            yield "comment" if inside or begins or text.startswith("//") else "code"
            inside = (inside or begins) and "*/" not in text


def comments(paths: list[Path]) -> int:
    """Return the number of comments, those behind code too."""
    texts = (path.read_text(encoding="utf-8") for path in paths)
    tokens = (token for text in texts for token in tokenize.generate_tokens(io.StringIO(text).readline))
    return sum(token.type == tokenize.COMMENT for token in tokens)


def documented() -> Iterator[tuple[Path, int, str]]:
    """Yield file, line and docstring of all that has one."""
    for path in [*python_files(PACKAGE), *python_files(SOURCES)]:
        for node in ast.walk(tree(path)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                text = ast.get_docstring(node)
                if text:
                    yield path, getattr(node, "lineno", 1), text


def without_subject() -> list[str]:
    """Return the places of docstrings that do not begin with what they are about."""
    found = []
    for path, line, text in documented():
        words = [word.lower() for word in re.findall(r"[\w'`-]+", text.splitlines()[0])[:4]]
        bare = words[:1] and (words[0] in OPENINGS or (words[1:] and words[1] in OBJECTS))
        if bare or words[:3] == ["return", "whether", "it"]:
            found.append(place(path, line, text.splitlines()[0]))
    return found


def participles() -> list[str]:
    """Return the places of functions that are bare participles."""
    found = []
    for path in [*python_files(PACKAGE), *python_files(SOURCES)]:
        for node in ast.walk(tree(path)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_participle(node):
                found.append(place(path, node.lineno, node.name))
    return found


def is_participle(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    word = node.name.strip("_")
    property_ = any("property" in ast.unparse(item) or "setter" in ast.unparse(item) for item in node.decorator_list)
    truth = node.returns is not None and ast.unparse(node.returns) == "bool"
    like = word in IRREGULAR or re.fullmatch(r"[a-z]{2,}(ed|en)", word) is not None
    return like and word not in OTHERS and not property_ and not truth


def constants(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each text in a module that is no docstring; parts of one f-string are one text."""
    parts = {id(part) for node in ast.walk(tree(path)) if isinstance(node, ast.JoinedStr) for part in node.values}
    words = {id(node.value) for node in ast.walk(tree(path)) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(words_of(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (parts | words):
            yield node.lineno, node.value


def words_of(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def named_options() -> list[str]:
    """Return the places of texts outside the command line that name an option of it."""
    found = []
    for path in python_files(PACKAGE):
        inner = path.relative_to(PACKAGE)
        if "cli" in inner.parts or path.name == "__main__.py" or inner.as_posix() in COMMANDS:
            continue
        for line, text in constants(path):
            alone = re.sub(r"couplant [a-z]+\b.*", "", text, flags=re.DOTALL)
            if set(re.findall(r"(?<![\w-])--(?:[a-z][a-z_-]+|\{\}(?!:))", alone)) - FOREIGN:
                found.append(place(path, line, text))
    return found


def place(path: Path, line: int, text: str) -> str:
    return f"{path.relative_to(ROOT).as_posix()}:{line}: {text}"


def entries() -> list[str]:
    """Return what `ls builder/couplant` shows of rooms and modules."""
    shown = [path for path in PACKAGE.iterdir() if path.suffix == ".py" or python_files(path)]
    return sorted(path.name for path in shown if not path.name.startswith("__"))


def density() -> int:
    """Return the comments per 1000 lines where calculations are."""
    paths = [path for room in CALCULATIONS for path in python_files(PACKAGE / room)]
    return round(1000 * comments(paths) / count(paths).total)


def small() -> list[str]:
    """Return the places of files that are short."""
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(PACKAGE)}
    return [place(path, length, "") for path, length in lengths.items() if length < SMALL]


LISTS = {
    "small files of couplant": small,
    "docstrings without a subject": without_subject,
    "bare participles": participles,
    "texts that name an option": named_options,
}


def figures() -> dict[str, int]:
    """Return the figures that have a bound."""
    return {
        "entries of builder/couplant": len(entries()),
        "files of couplant": len(python_files(PACKAGE)),
        **{name: len(places()) for name, places in LISTS.items()},
        "comments per 1000 lines of analysis and design": density(),
    }


def built() -> Iterator[tuple[str, Path]]:
    """Yield what of wheel, page and FMUs is there, with words for it."""
    places = {"wheel": "dist/*.whl", "page": "build/**/workbench/index.html", "FMU": "build/**/*.fmu"}
    for words, pattern in places.items():
        yield from ((words, path) for path in sorted(ROOT.glob(pattern)))


def print_table() -> None:
    print(f"{'':28}{'files':>7}{'lines':>9}{'code':>9}{'comment':>9}{'blank':>8}")
    parts = {name: count(paths) for name, paths in rooms().items()}
    inside = [lines for name, lines in parts.items() if name.startswith("couplant/")]
    parts["couplant in all"] = Lines(*(sum(column) for column in zip(*inside, strict=True)))
    for name, lines in parts.items():
        print(f"{name:28}{lines.files:7}{lines.total:9}{lines.code:9}{lines.comments:9}{lines.blank:8}")
    print()
    for name, value in figures().items():
        print(f"{name:50}{value:7}   {'at least' if name in AT_LEAST else 'at most'} {BOUNDS[name]}")
    print()
    for words, path in built():
        print(f"{words:8}{path.stat().st_size / 1000:10.1f} kB   {path.relative_to(ROOT).as_posix()}")


def worse() -> list[str]:
    """Return a sentence for each figure beyond its bound."""
    found = []
    for name, value in figures().items():
        if value < BOUNDS[name] if name in AT_LEAST else value > BOUNDS[name]:
            word = "at least" if name in AT_LEAST else "at most"
            more = f"; python benchmarks/figures.py --list '{name}' shows them" if name in LISTS else ""
            found.append(f"{name}: {value}, allowed {word} {BOUNDS[name]}{more}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="The house in figures.")
    parser.add_argument("--check", action="store_true", help="only refuse figures beyond their bounds")
    parser.add_argument("--list", choices=sorted(LISTS), help="print the places that one figure counts")
    asked = parser.parse_args()
    if asked.list:
        print("\n".join(LISTS[asked.list]()))
        return 0
    if not asked.check:
        print_table()
        return 0
    found = worse()
    print("\n".join(found) if found else "All figures of the house are within their bounds.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
