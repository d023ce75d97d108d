"""The blocks of commands and code in the pages that users read, and what is in them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from pathlib import Path

import tomlkit
from tomlkit.exceptions import TOMLKitError

ROOT = Path(__file__).resolve().parents[2]
PAGES = tuple(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("examples/*/README.md")))
)
SHELL = ("console", "sh", "bash")
LANGUAGES = (*SHELL, "powershell", "python", "toml", "matlab", "text", "c")
"""Languages that a fenced block may name; an indented one has what its text shows."""

COMMANDS = re.compile(r"(?:\w+=\S+ )*(?:couplant|make|pip|pipx|python|dask|\.venv/\S+|machine \w:|--[a-z]+) ?")


@dataclass(frozen=True)
class Block:
    """A block of a page.

    Attributes
    ----------
    line : int
        Where it begins, 1 is the first line of the page.
    language : str
        One of `LANGUAGES`.
    """

    page: str
    line: int
    language: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def first(self) -> str:
        return next(line.strip() for line in self.text.splitlines() if line.strip())


def blocks(page: str) -> list[Block]:
    """Return all fenced and indented blocks of a page."""
    return blocks_of(page, (ROOT / page).read_text(encoding="utf-8"))


def blocks_of(page: str, text: str) -> list[Block]:
    found: list[Block] = []
    held: list[str] = []
    start, fence = 0, None
    for number, line in enumerate([*text.splitlines(), "", "end"], start=1):
        if fence is not None and line.startswith("```"):
            if not fence.startswith("{"):  # what the site makes there: tests/site builds it
                found.append(Block(page, start, fence, "\n".join(held)))
            fence, held = None, []
        elif fence is not None:
            held.append(line)
        elif line.startswith("    ") or (held and not line.strip()):
            start = start if held else number
            held.append(line[4:])
        else:
            found += apart(Block(page, start, "", "\n".join(held).rstrip())) if held else []
            held = []
            if line.startswith("```"):
                start, fence = number + 1, line[3:].strip()
    return found


def apart(block: Block) -> list[Block]:
    """Return an indented block, or its paragraphs where it is neither commands nor code as a whole."""
    if (whole := language(block.text)) != "text":
        return [replace(block, language=whole)]
    parts, line = [], block.line
    for text in block.text.split("\n\n"):
        parts.append(Block(block.page, line, language(text), text))
        line += text.count("\n") + 2
    return parts if {part.language for part in parts} != {"text"} else [replace(block, language="text")]


def language(code: str) -> str:
    """Return the language of an indented block: it names none."""
    begun = [line for line in code.splitlines() if line[:1].strip()]
    if begun and all(COMMANDS.match(line) for line in begun):
        return "console"
    try:
        tomlkit.parse(code)
        return "toml"
    except TOMLKitError:
        pass
    try:
        ast.parse(code)
        return "python"
    except SyntaxError:
        return "text"


def commands(block: Block) -> list[tuple[str, list[str]]]:
    """Return the commands of a block and the lines that the page shows as their output, where it shows any."""
    text = re.sub(r" *[\\`]\n *", " ", block.text)
    if not text.startswith("$ "):
        return [(alone(line), []) for line in text.splitlines() if line[:1].strip() or COMMANDS.match(line.strip())]
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((alone(line[2:]), []))
        else:
            found[-1][1].append(line)
    return found


def alone(line: str) -> str:
    """Return a command without the prompt's machine before it and the words that explain it behind."""
    command = re.sub(r"^machine \w: *", "", line.strip())
    return re.split(r" {3,}| +# ", command)[0].strip()
