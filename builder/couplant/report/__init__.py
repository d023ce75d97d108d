"""Reports of simulation results: one self-contained HTML page, pictures for documents."""

from couplant.report.png import write_png
from couplant.report.simulation import write_report

__all__ = ["write_png", "write_report"]
