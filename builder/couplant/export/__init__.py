"""A scenario as files for other tools: FMUs and the connections between them, in the formats that these tools read."""

from couplant.export.contain import Contained, contain
from couplant.export.folder import Exported, export

__all__ = ["Contained", "Exported", "contain", "export"]
