"""One page that holds everything: figures, signals, the drawing library. It needs no network and makes no request."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from couplant.cosim.result import Result
from couplant.files import write_atomic
from couplant.paths import resource
from couplant.report.payload import payload
from couplant.report.summary import summary
from couplant.style import DARK, LIGHT, Theme

_SCRIPTS = (
    "uplot/uPlot.iife.min.js",
    "templates/report/data.js",
    "templates/report/charts.js",
    "templates/report/strips.js",
    "templates/report/page.js",
)
_STYLES = ("uplot/uPlot.min.css", "templates/report/page.css")


def write_report(result: Result, path: Path, sections: Sequence[str] = ()) -> None:
    """Write the report of a simulation as one self-contained HTML page.

    Parameters
    ----------
    result : Result
        What the scenario handed back.
    path : Path
        The page; written whole or not at all.
    sections : sequence of str
        More sections for the page, as `section` makes them.

    Raises
    ------
    OSError
        If the page cannot be written.
    CouplantError
        If the installation lacks the template.
    """
    write_atomic(Path(path), render(result, sections).encode("utf-8"))


def render(result: Result, sections: Sequence[str] = ()) -> str:
    """Return the page as text.

    Parameters
    ----------
    result : Result
        What the scenario handed back.
    sections : sequence of str
        More sections, below the signals.
    """
    script = "\n".join(_read(name) for name in _SCRIPTS)
    data = payload(result) | {"palette": {"light": _theme(LIGHT), "dark": _theme(DARK)}}
    return _template("simulation.html.j2").render(
        summary=summary(result),
        settings=list(flatten(result.settings)),
        style=Markup("\n".join([*(_read(name) for name in _STYLES), colours()])),
        script=Markup(script),
        script_hash=_hash(f"\n{script}\n"),
        data=Markup(_json(data)),
        sections=[Markup(text) for text in sections],
    )


def section(template: str, **content: Any) -> str:
    """Return a section for the page.

    Parameters
    ----------
    template : str
        Name of its template among those of the report.
    **content : object
        What the template shows; texts are escaped.
    """
    return _template(template).render(**content)


def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resource("templates/report")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def _read(name: str) -> str:
    return resource(name).read_text(encoding="utf-8")


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _json(data: Any) -> str:
    text = json.dumps(data, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _theme(theme: Theme) -> dict[str, Any]:
    return {key: getattr(theme, key) for key in ("background", "ink", "muted", "grid", "none", "algorithms")}


def colours() -> str:
    """Return the colours of both themes as CSS variables."""

    def block(theme: Theme) -> str:
        plain = {key: getattr(theme, key) for key in ("background", "ink", "muted", "grid", "none")}
        return "".join(f"--{key}:{value};" for key, value in (plain | theme.algorithms).items())

    return f":root{{{block(LIGHT)}}}\n@media screen and (prefers-color-scheme: dark){{:root{{{block(DARK)}}}}}"


def flatten(settings: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """List nested settings as rows ``a.b.c``, value.

    Parameters
    ----------
    settings : mapping
        Settings of a run.
    prefix : str
        Keys above, with a point at the end.

    Returns
    -------
    list of (str, str)
        Name and value of each setting, values as in JSON.
    """
    rows: list[tuple[str, str]] = []
    for key, value in settings.items():
        if isinstance(value, Mapping) and value:
            rows += flatten(value, f"{prefix}{key}.")
        else:
            rows.append((f"{prefix}{key}", json.dumps(value, ensure_ascii=False, default=str)))
    return rows
