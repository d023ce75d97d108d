"""``python -m couplant.config``: write the JSON schemas and the page on all parameters (``make generate``)."""

from couplant.base.files import write_atomic
from couplant.base.paths import resource, root
from couplant.config.schema.page import parameters_page
from couplant.config.schema.schemas import KINDS, schema_file, schema_text

for kind in KINDS:
    write_atomic(resource("schema") / schema_file(kind), schema_text(kind))
write_atomic(root() / "docs" / "parameters.md", parameters_page())
