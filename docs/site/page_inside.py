"""The directive `workbench`: the page that computes in the browser, written beside the site and shown inside of it."""

from functools import cache
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from couplant.base.errors import CouplantError
from couplant.workbench import page

PLACE = "workbench/index.html"
SHOWN = """
<p><a href="../{place}">Open it in a window of its own</a>; the file works without a network and may be copied.</p>
<iframe src="../{place}" title="Workbench of couplant" width="100%" height="1100" style="border: 0"></iframe>
"""
MISSING = "This site was built without zig, which makes the workbench: couplant workbench opens it."


@cache
def made() -> str:
    """Return the page, nothing where what compiles its modules is missing."""
    try:
        return page()
    except CouplantError:
        return ""


class Workbench(SphinxDirective):
    """The page in a frame, and a link to it."""

    def run(self) -> list[nodes.Node]:
        """Return the frame, or a sentence where the page cannot be made."""
        if made():
            return [nodes.raw("", SHOWN.format(place=PLACE), format="html")]
        return [nodes.paragraph("", MISSING)]


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the page beside the others."""
    if error is None and app.builder.format == "html" and made():
        path = Path(app.outdir) / PLACE
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made(), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directive."""
    app.add_directive("workbench", Workbench)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}
