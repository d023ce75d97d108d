"""A program of several modules from one end to the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from workbench.build.translator.context import Context
from workbench.build.translator.handlers import EXPRESSIONS, STATEMENTS
from workbench.build.translator.js import name_in_js
from workbench.build.translator.program import Module, Program
from workbench.build.translator.scope import scope_of

PACKAGES = ("couplant", "couplant_runtime", "workbench")
HAND_WRITTEN: Mapping[str, str] = {
    "couplant.tables.rows": "recording/rows.js",
    "couplant.base.written": "python/real.js",
}
"""Modules of Python in whose place files of the workbench stand, which export the same names."""
_FOLDER = "python"
_PASSES = 5


def translate(
    modules: Iterable[str], *, hand_written: Mapping[str, str] = HAND_WRITTEN, sources: Mapping[str, Path] | None = None
) -> dict[str, str]:
    """Return modules of JavaScript by their paths below `workbench`, with all that they need of the package.

    Parameters
    ----------
    modules : iterable of str
        Names, such as ``couplant.base.grid``.
    hand_written : mapping of str to str
        Paths below `workbench` of files that stand in the place of modules.
    sources : mapping of str to Path, optional
        Files of modules that lie outside of the package.

    Raises
    ------
    Untranslatable
        If a module says something that has no translation.
    """
    program = Program(PACKAGES, dict(sources or {}))
    done: dict[str, str] = {}
    waiting: set[str] = set()

    def need(name: str) -> Module:
        module = program.module(name)
        if name not in waiting:
            waiting.add(name)
            if name not in hand_written:
                c = Context(program, module, EXPRESSIONS, STATEMENTS, need)
                body = _body(c)
                done.update(_files(c, body, hand_written))
        return module

    for name in modules:
        need(name)
    return done


def _path(name: str) -> str:
    return f"{_FOLDER}/{name}.js"


def _body(c: Context) -> list[str]:
    """Return the lines of a module, its variables with types as far as they are found."""
    scope = scope_of(c.module.tree.body, kind="module")
    types = dict(c.module.types)
    body: list[str] = []
    for _ in range(_PASSES):
        before = {**scope.known, **types}
        scope.known, scope.seen, scope.extra = before, dict(types), []
        with c.inside(scope):
            body = c.block(c.module.tree.body)
        if scope.seen == {name: kind for name, kind in before.items() if name in scope.seen}:
            break
        scope.known = dict(scope.seen)
    c.module.types |= scope.known
    left_out = {"__all__", *c.module.aliases}
    names = [name_in_js(name) for name in scope.places.get(0, []) if name not in left_out]
    names += scope.extra
    return [f"let {', '.join(names)};", *body] if names else body


def _files(c: Context, body: list[str], hand_written: Mapping[str, str]) -> dict[str, str]:
    """Return the file of a module, and one beside it for names that are changed at their import."""
    heads = ['import { py } from "./run.js";'] if any("py." in line for line in body) else []
    changed: list[str] = []
    beside: list[str] = []
    for module, pairs in sorted(c.imports.items()):
        where = _seen_from(hand_written.get(module, _path(module)))
        same = sorted(name for name, here in pairs if name == here)
        others = sorted((name, here) for name, here in pairs if name != here)
        heads += [f'import {{ {", ".join(same)} }} from "{where}";'] if same else []
        beside += [f'import {{ {", ".join(sorted({name for name, _ in others}))} }} from "{where}";'] if others else []
        changed += [f"export const {here} = {name};" for name, here in others]
    done = {}
    if changed:
        names = [line.split()[2] for line in changed]
        heads.append(f'import {{ {", ".join(names)} }} from "./{c.module.name}.names.js";')
        told = f"// Names that {c.module.path} changes at their import, translated."
        done[f"{_FOLDER}/{c.module.name}.names.js"] = "\n".join([told, "", *beside, "", *changed]) + "\n"
    lines = [f"// {c.module.path}, translated.", "", *heads, *([""] if heads else []), *_apart(body)]
    return {**done, _path(c.module.name): "\n".join(lines) + "\n"}


def _apart(body: list[str]) -> Iterator[str]:
    """Yield lines with a blank one around functions and classes."""
    for before, line in zip(["", *body], body, strict=False):
        begins = bool(before) and line.startswith(("export function", "export class"))
        if begins or (before == "}" and not line.startswith("py.")):
            yield ""
        yield line


def _seen_from(path: str) -> str:
    """Return a path below `workbench` as translated modules see it."""
    inside = path.startswith(f"{_FOLDER}/")
    return f"./{path.removeprefix(f'{_FOLDER}/')}" if inside else f"../{path}"
