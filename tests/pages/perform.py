"""Runs the blocks of a page in a folder: commands in this process, code in one namespace for each page."""

from __future__ import annotations

import contextlib
import io
import linecache
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import tomlkit

from couplant.cli import main
from couplant.config.bench import load_bench
from couplant.config.frame.read import merge
from couplant.config.load import load_interface
from couplant.config.scenario import load_scenario
from tests.pages.blocks import ROOT, SHELL, Block, commands
from tests.pages.desk import SHORT
from tests.pages.table import RULES, Rule

NUMBER = re.compile(r"-?\d*\.?\d+(?:e[+-]?\d+)?")


class Page:
    """What the blocks of one page do one after the other in `folder`, and the rules that were needed for it."""

    def __init__(self, page: str, folder: Path) -> None:
        self.page, self.folder = page, folder
        self.names: dict[str, object] = {"__name__": "__main__"}
        self.used: set[Rule] = set()
        self.said = ""

    def rule(self, words: str) -> Rule:
        """Return the rule for a block or command, an empty one if there is none."""
        found = [rule for rule in RULES if rule.page == self.page and words.startswith(rule.begins)]
        rule = max(found, key=lambda rule: len(rule.begins), default=Rule(self.page, words))
        self.used.add(rule)
        return rule

    def perform(self, block: Block) -> list[str]:
        """Return what is wrong with a block, nothing if all is well."""
        try:
            return [f"{block.name}: {text}" for text in self.wrong(block)]
        except Exception as error:  # what a page does wrong must not hide its other blocks
            return [f"{block.name}: {type(error).__name__}: {error}"]

    def wrong(self, block: Block) -> Iterator[str]:
        if block.language in SHELL:
            for command, shown in commands(block):
                rule = self.rule(command)
                if not (rule.why or rule.test):
                    yield from self.command(command, shown, rule)
        elif not ((rule := self.rule(block.first)).why or rule.test):
            yield from getattr(self, block.language, self.nothing)(block, rule)

    def nothing(self, block: Block, rule: Rule) -> Iterator[str]:
        yield f"{block.language!r} is not run, and no rule says why"

    def command(self, command: str, shown: list[str], rule: Rule) -> Iterator[str]:
        for old, new in rule.change:
            command = command.replace(old, new)
        verb, *words = shlex.split(f"{command} {rule.add}")
        if verb.startswith("--"):
            yield from self.options([verb, *words])
            return
        if verb != "couplant":
            yield f"{command}: not run, and no rule says why"
            return
        status, said = run(quickly(words))
        if status != 0:
            yield f"{command}: exit status {status}: {said}"
        if rule.keeps and not same(ROOT / rule.keeps, self.folder / rule.keeps):
            yield f"{command}: {rule.keeps} is another one than that of the tree"
        if shown:
            yield from (f"{command}: {text}" for text in differences(shown, said.splitlines()))

    def options(self, words: list[str]) -> Iterator[str]:
        """Run the example with options that its page lists; a bench runs in real time: they are only read."""
        scenario = self.folder / self.page.replace("README.md", "scenario.toml")
        if "[bench]" in scenario.read_text(encoding="utf-8"):
            load_bench(scenario, words[1::2] if words[0] == "--set" else ())
            return
        verb = "sweep" if "[sweep]" in scenario.read_text(encoding="utf-8") else "simulate"
        status, said = run(quickly([verb, str(scenario), *words]))
        if status != 0:
            yield f"{shlex.join(words)}: exit status {status}: {said}"

    def python(self, block: Block, rule: Rule) -> Iterator[str]:
        """Run code and keep what it prints for the block of text behind it."""
        text = block.text
        for old, new in rule.change:
            text = text.replace(old, new)
        code = compile(text, block.name, "exec")
        # as notebooks do, so that functions have their text
        linecache.cache[block.name] = (len(text), None, text.splitlines(keepends=True), block.name)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(code, self.names)
        self.said = said.getvalue()
        yield from ()

    def text(self, block: Block, rule: Rule) -> Iterator[str]:
        """Compare what the code before has printed with the block that shows it."""
        if not self.said:
            yield "'text' is not run, and no rule says why"
        else:
            yield from differences(block.text.splitlines(), self.said.splitlines())
        self.said = ""

    def toml(self, block: Block, rule: Rule) -> Iterator[str]:
        content = tomlkit.parse(block.text).unwrap()
        for name in reversed(rule.within.split(".") if rule.within else []):
            content = {name: content}
        base = tomlkit.parse((self.folder / rule.base).read_text(encoding="utf-8")).unwrap() if rule.base else {}
        path = (self.folder / rule.base).parent / "part.toml" if rule.base else self.folder / "part.toml"
        path.write_text(tomlkit.dumps(merge(base, content)), encoding="utf-8")
        load = {"interface": load_interface, "scenario": load_scenario, "bench": load_bench, "system": stability}
        if rule.kind in load:
            load[rule.kind](path)
        else:
            yield "settings of which no rule says what they are"


def stability(path: Path) -> None:
    """Read a system as `couplant stability` does."""
    status, said = run(["stability", str(path)])
    assert status == 0, said


def same(path: Path, other: Path) -> bool:
    """Return whether two files have the same words and, to 1e-6, the same numbers."""
    texts = [one.read_text(encoding="utf-8") for one in (path, other)]
    words, numbers = ([kind(text) for text in texts] for kind in (lambda t: NUMBER.sub("#", t).split(), NUMBER.findall))
    return words[0] == words[1] and all(
        abs(float(a) - float(b)) <= 1e-6 * max(1.0, abs(float(a))) for a, b in zip(*numbers, strict=True)
    )


def run(words: list[str]) -> tuple[int, str]:
    """Run a command of couplant; returns its exit status and all that it printed."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = main(words)
    return status, said.getvalue()


def quickly(words: list[str]) -> list[str]:
    """Return a command for a short run, where what it says itself leaves that open."""
    if words[0] not in ("simulate", "sweep", "export"):
        return words
    given = " ".join(words)
    short = [one for one in SHORT if f"{one.split('=')[0]}=" not in given]
    if words[0] == "sweep" or '"direct"' in Path(words[1]).read_text(encoding="utf-8"):
        short = [one for one in short if one.startswith("duration")]
    return [*words, *(word for one in short for word in ("--set", one))]


def differences(shown: list[str], said: list[str]) -> Iterator[str]:
    """Compare what a page shows with what was printed: words alike, numbers to the digits shown; `...` leaves out."""
    lines = [line for line in shown if line.strip()]
    rest = [line for line in said if line.strip()]
    for line in lines:
        if line.strip() == "...":
            continue
        after = lines[lines.index(line) - 1].strip() == "..." if lines.index(line) else False
        while after and rest and not alike(line, rest[0]):
            rest = rest[1:]
        if not rest or not alike(line, rest[0]):
            yield f"shows {line!r}, printed is {rest[0] if rest else 'nothing'!r}"
            return
        rest = rest[1:]
    if rest and lines and lines[-1].strip() != "...":
        yield f"printed is also {rest[0]!r}"


def alike(shown: str, said: str) -> bool:
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", said).split():
        return False
    pairs = zip(NUMBER.findall(shown), NUMBER.findall(said), strict=True)
    return all(abs(float(a) - float(b)) <= 0.5001 * digit(a) for a, b in pairs)


def digit(text: str) -> float:
    """Return the last decimal place of a number as it is printed."""
    mantissa, _, exponent = text.partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
