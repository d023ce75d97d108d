"""A scenario as files for other tools: FMUs and the connections between them, in the formats that these tools read."""

from couplant.elsewhere.export.folder import Exported, export

__all__ = ["Exported", "export"]
