"""Make the page of the workbench: one file with everything in it, which needs no network and no server."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from couplant.base.inline import inline_json, join, read_modules, script_hash
from couplant.base.paths import resource, workbench
from couplant.base.style import css_colours
from couplant.pack.binaries.prebuilt import wasm_modules
from couplant.version import __version__
from workbench.build.data import page_data, run_data
from workbench.build.settings import interface_settings, settings_modules
from workbench.build.take import HAND_WRITTEN, MODULES, take_files

ENTRY = "main.js"
WORKER = "worker.js"
"""Where workers begin, which compute runs, check settings and write FMUs: a script of its own, packed."""

TRANSLATED = (
    "couplant.analysis.signal.periodic",
    "couplant.base.filenames",
    "couplant.design.recommendation",
    "couplant.base.errors",
    "couplant.tables.clock",
    "couplant.tables.dialect",
    "couplant.tables.headings",
    "couplant.tables.sheet",
)
"""Modules of the package that the page runs itself."""

_STYLES = ("uplot/uPlot.min.css", "templates/report/page.css")
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n", re.MULTILINE)
_PLACE = re.compile(r"\{\{(\w+)\}\}")
_POLICY = (
    "default-src 'none'; script-src '{hash}' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)
"""What the page may do. It may connect to nothing."""


def made(folder: Path | None = None) -> str:
    """Return the workbench as text, with the binaries of a `folder` and no others if it is given.

    Raises
    ------
    CouplantError
        If the installation lacks a part of it.
    """
    modules = read_modules(workbench()) | translated()
    code = _text("uplot/uPlot.iife.min.js") + "\n" + _script(modules, ENTRY)
    parts = {
        "policy": _POLICY.format(hash=script_hash(code)),
        "style": style(),
        "version": __version__,
        "data": inline_json(page_data()),
        "packed": inline_json({"modules": packed(wasm_modules(folder=folder)), "texts": packed(_texts(modules))}),
        "files": inline_json(take_files(folder)),
        "script": code,
    }
    text = (workbench() / "index.html").read_text(encoding="utf-8")
    return _PLACE.sub(lambda place: parts[place[1]], text)


@cache
def translated() -> dict[str, str]:
    """Return the modules of the package that the page runs, in JavaScript, by path."""
    return settings_modules([*MODULES, *TRANSLATED], HAND_WRITTEN)


def _script(modules: Mapping[str, str], entry: str) -> str:
    """Return a script without the comments that stand in lines of their own: they are read where the sources are."""
    return _COMMENT.sub("", join(modules, entry))


def _texts(modules: Mapping[str, str]) -> dict[str, bytes]:
    """Return what workers begin with: data of runs, settings as they are checked, of `modules` their script."""
    data = {"runs": run_data(), "settings": interface_settings()}
    texts = {name: json.dumps(one, separators=(",", ":"), allow_nan=False) for name, one in data.items()}
    return {name: text.encode() for name, text in {**texts, "worker": _script(modules, WORKER)}.items()}


def style() -> str:
    """Return the style sheets: uPlot's, that of the reports with its colours, and what only the workbench has."""
    own = (workbench() / "workbench.css").read_text(encoding="utf-8")
    return "\n".join([*map(_text, _STYLES), css_colours(), own])


def packed(modules: Mapping[str, bytes]) -> dict[str, str]:
    """Return binary `modules` by name as base64 of what gzip makes of them, the same for the same bytes."""
    return {name: base64.b64encode(gzip.compress(code, mtime=0)).decode("ascii") for name, code in modules.items()}


def _text(name: str) -> str:
    return resource(name).read_text(encoding="utf-8")
