"""The structure that everything stands on, looked through file by file: `python -m tests.structure`, in `make lint`."""

import sys
from pathlib import Path

from tests.structure import floors, pieces, pipeline, runtime
from tests.structure.house import House

RULES = (*pipeline.RULES, *floors.RULES, *runtime.RULES, *pieces.RULES)


def problems(root):
    """Return a sentence for each place that breaks a rule."""
    house = House(root)
    return [problem for rule in RULES for problem in rule(house)]


if __name__ == "__main__":
    found = problems(Path(__file__).resolve().parents[2])
    print("\n".join(found) or f"{len(RULES)} rules hold.")
    sys.exit(bool(found))
