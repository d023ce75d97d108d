"""``python -m couplant.report.paper``: write the page (``make paper``)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from couplant.base.errors import CouplantError
from couplant.base.paths import root
from couplant.report.paper.build import sections, write_paper


def main() -> int:
    """Write the page and say what holds; return the exit status."""
    parser = argparse.ArgumentParser("python -m couplant.report.paper", description="Published and recomputed figures.")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/paper"), help="folder of the page")
    parser.add_argument("--examples", type=Path, default=root() / "examples", help="folder of the examples")
    parser.add_argument("--quick", action="store_true", help="leave out what takes longest to simulate")
    given = parser.parse_args()
    try:
        found = sections(given.examples, quick=given.quick)
        path = write_paper(found, given.output / "index.html")
    except (CouplantError, OSError) as error:
        sys.stderr.write(f"couplant: {error}\n")
        return 1
    rows = [row for section in found for row in section.rows]
    sys.stdout.write(f"{sum(row.holds for row in rows)} of {len(rows)} published rows hold: {path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
