"""HTML pages: one environment, one skeleton that all templates extend. A page needs no network and no other file."""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from couplant.base.files import write_atomic
from couplant.base.inline import inline_json, join, read_modules, script_hash
from couplant.base.paths import resource, workbench
from couplant.base.style import css_colours, label
from couplant.report.pictures import figure_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def write_html(path: Path, template: str | Path, **content: object) -> Path:
    """Write a page, see `render`; raise `OSError` if it cannot be written, `CouplantError` without the template."""
    page = render(template, **content)
    return write_atomic(path, page)


def render(template: str | Path, **content: object) -> str:
    """Return a page as text, made by a template in ``resources/templates/report``, or by one at another path.

    `content` is what it shows; texts are escaped. Every page has ``title`` and ``headline``.
    """
    environment = _environment()
    if isinstance(template, Path):
        return environment.from_string(template.read_text(encoding="utf-8")).render(content)
    return environment.get_template(template).render(content)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resource("templates/report")),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"text_of": text_of, "colours": Markup(css_colours())}
    environment.filters |= {"embedded": embed_picture, "hash": script_hash, "label": label}
    environment.filters["json"] = lambda data: Markup(inline_json(data))
    return environment


def text_of(*names: str) -> Markup:
    """Return texts below ``resources``, one after the other, to be put into a page as they are."""
    return Markup("\n".join(resource(name).read_text(encoding="utf-8") for name in names))


@cache
def script_of(name: str) -> Markup:
    """Return the script that a module in ``workbench/report`` makes with those that it needs, `name` without ending."""
    return Markup(join(read_modules(workbench()), f"report/{name}.js"))


def charts_script(name: str) -> Markup:
    """Return such a script of charts, with uPlot in front, which draws them."""
    return text_of("uplot/uPlot.iife.min.js") + "\n" + script_of(name)


def embed_picture(picture: Figure | bytes) -> str:
    """Return a picture, drawn or as the content of a PNG file, as an address that holds all of it."""
    content = picture if isinstance(picture, bytes) else figure_bytes(picture)
    return f"data:image/png;base64,{base64.b64encode(content).decode('ascii')}"
