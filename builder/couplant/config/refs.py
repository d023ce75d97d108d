"""The type of a key that names a variable of a component."""

from __future__ import annotations

from typing import Annotated

from pydantic import PlainSerializer, PlainValidator, WithJsonSchema

from couplant.config.entries import WRITTEN_REF, ref_of
from couplant.config.frame.read import allowed
from couplant.config.ref import Ref

WrittenRef = Annotated[
    Ref,
    PlainValidator(ref_of),
    PlainSerializer(str),
    WithJsonSchema({"type": "string", "pattern": f"^{WRITTEN_REF.pattern}$"}),
    allowed('"component.variable"'),
]
"""The type of a key that names a variable of a component."""
