"""``python -m couplant.config``: write the JSON schemas (``make generate``)."""

from couplant.base.files import write_atomic
from couplant.base.paths import resource
from couplant.config.schemas import KINDS, schema_file, schema_text

for kind in KINDS:
    write_atomic(resource("schema") / schema_file(kind), schema_text(kind))
