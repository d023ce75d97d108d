"""``python -m couplant.config``: write the JSON schemas of the settings to `resources/schema` (``make generate``)."""

from couplant.config.schema import KINDS, schema_file, schema_text
from couplant.files import write_atomic
from couplant.paths import resource

for kind in KINDS:
    write_atomic(resource("schema") / schema_file(kind), schema_text(kind))
