"""Links to folders and files of the repository that are no pages of the site: the words, without a link."""

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx


def unlink(app: Sphinx, page: nodes.document) -> None:
    """Replace each such link of a page by its words."""
    folder = (app.srcdir / app.env.doc2path(app.env.docname, base=False)).parent
    for link in list(page.findall(pending_xref)):
        if link.get("reftype") == "myst" and (folder / link["reftarget"]).exists():
            link.replace_self(nodes.inline("", "", *link.children))


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx to show each page here once it is read."""
    app.connect("doctree-read", unlink)
    return {"parallel_read_safe": True}
