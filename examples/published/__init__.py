"""The published tables and figures of the method next to recomputed ones, as one page.

What was published is data (`published.toml`, with its sources); what stands next to it is computed by the commands and
functions that everybody uses: ``couplant limits``, ``bode``, ``stability``, ``design``, ``inspect`` and ``simulate``.
"""

from examples.published.build import sections, write_paper

__all__ = ["sections", "write_paper"]
