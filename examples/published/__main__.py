"""``python -m examples.published``: write the page (``make paper``)."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from couplant.base.errors import CouplantError
from couplant.cli.output import progress_bar
from examples.published.build import headline, sections, write_paper


def main() -> int:
    """Write the page and say what holds; return the exit status."""
    parser = argparse.ArgumentParser("python -m examples.published", description="Published and recomputed figures.")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/paper"), help="folder of the page")
    parser.add_argument("--examples", type=Path, default=Path(__file__).parents[1], help="folder of the examples")
    parser.add_argument("--quick", action="store_true", help="leave out what takes longest to simulate")
    given = parser.parse_args()
    try:
        with progress_bar() as bar:
            found = sections(given.examples, given.quick, bar or _print_step)
        path = write_paper(found, given.output / "index.html")
    except (CouplantError, OSError) as error:
        sys.stderr.write(f"couplant: {error}\n")
        return 1
    sys.stdout.write(f"{headline(found)}: {path}\n")
    return 0


def _print_step(share: float, text: str) -> None:
    """Print a line for each step, where there is no terminal to draw a bar on."""
    sys.stderr.write(f"{share:4.0%} {text}\n")


if __name__ == "__main__":
    sys.exit(main())
