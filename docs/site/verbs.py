"""The directive `verbs`: what `couplant VERB --help` prints, for each verb."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from typer.testing import CliRunner

from couplant.cli import VERBS
from couplant.cli import app as couplant


class Verbs(SphinxDirective):
    """All verbs, in the order of ``couplant --help``."""

    def run(self) -> list[nodes.Node]:
        """Return a section for each verb."""
        texts = [f"## {verb}\n\n```text\n{self.help(verb)}\n```\n" for verb in VERBS]
        return self.parse_text_to_nodes("\n".join(texts), allow_section_headings=True)

    def help(self, verb: str) -> str:
        """Return the help of a verb."""
        asked = CliRunner().invoke(couplant, [verb, "--help"], prog_name="couplant")
        if asked.exit_code:
            raise self.error(f"couplant {verb} --help ended with {asked.exit_code}, allowed: 0.")
        return asked.stdout.strip()


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the directive."""
    app.add_directive("verbs", Verbs)
    return {"parallel_read_safe": True}
