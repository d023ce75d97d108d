"""Equations as MathML: browsers draw it themselves, so the site needs neither a script nor a network."""

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx


def inline(page, node: nodes.math) -> None:
    """Write an equation in a line of text."""
    page.body.append(convert(node.astext()))
    raise nodes.SkipNode


def block(page, node: nodes.math_block) -> None:
    """Write an equation of its own."""
    page.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx who draws equations."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True}
