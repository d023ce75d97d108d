"""Reports of simulation results: one self-contained HTML page, pictures for documents."""

from couplant.report.html import write_report
from couplant.report.png import write_png

__all__ = ["write_png", "write_report"]
