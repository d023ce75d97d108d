"""``python -m couplant.config``: write the JSON schema of the settings to `resources/schema` (``make generate``)."""

import json

from couplant.config.interface import json_schema
from couplant.files import write_atomic
from couplant.paths import resource

target = resource("schema") / "interface.schema.json"
write_atomic(target, json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
