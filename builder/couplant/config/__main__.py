"""``python -m couplant.config``: write the JSON schemas and the page on all parameters (``make generate``)."""

from couplant.config.page import parameters_page
from couplant.config.schema import KINDS, schema_file, schema_text
from couplant.files import write_atomic
from couplant.paths import resource, root

for kind in KINDS:
    write_atomic(resource("schema") / schema_file(kind), schema_text(kind))
write_atomic(root() / "docs" / "parameters.md", parameters_page())
