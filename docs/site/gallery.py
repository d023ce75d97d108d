"""The directive `gallery`: a card for each example, with its title and picture, made of its page."""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

CARD = """::::{{grid-item-card}} {title}
:link: /{folder}/README
:link-type: doc
:img-top: /{picture}
:img-alt: {words}

{first}
::::
"""


class Gallery(SphinxDirective):
    """Cards of all examples, in the order of their folders."""

    def run(self) -> list[nodes.Node]:
        """Return the cards and the table of contents that holds their pages."""
        pages = sorted(self.env.srcdir.glob("examples/*/README.md"))
        cards = [card for page in pages if (card := self.card(page))]
        names = "\n".join(f"/{page.parent.relative_to(self.env.srcdir)}/README" for page in pages)
        for page in pages:
            self.env.note_dependency(str(page))
        return self.parse_text_to_nodes(
            ":::::{grid} 1\n:gutter: 3\n\n" + "\n".join(cards) + "\n:::::\n\n"
            "```{toctree}\n:hidden:\n\n" + names + "\n```\n"
        )

    def card(self, page) -> str:
        """Return the card of an example."""
        text = page.read_text(encoding="utf-8")
        title = text.split("\n", 1)[0].lstrip("# ")
        picture = re.search(r"!\[([^\]]*)\]\(([^)]+)\)", text)
        folder = page.parent.relative_to(self.env.srcdir).as_posix()
        if picture is None:
            raise self.error(f"{folder}/README.md shows no picture, allowed: at least one.")
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text.split("\n\n")[1].replace("\n", " "))
        first = re.split(r"(?<=[.?])\s", plain)[0]
        return CARD.format(
            title=title, folder=folder, picture=f"{folder}/{picture[2]}", words=picture[1], first=first.rstrip(":")
        )


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directive."""
    app.add_directive("gallery", Gallery)
    return {"parallel_read_safe": True}
