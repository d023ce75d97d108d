"""Write all files that follow from coupling.toml: `python -m fmu_src.generator [--check]`.

With `--check` nothing is written; the exit status is 1 if a file is stale, and standard error names it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from . import c, python
from .description import Description, read
from .keys import keys
from .pages import TABLES, with_tables

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / "fmu_src" / "couplant_runtime" / "generated"
KERNEL = ROOT / "fmu_src" / "kernel" / "generated"
KEYS = ROOT / "builder" / "couplant" / "config" / "keys.py"
DOCS = ROOT / "docs"


def files(d: Description) -> dict[Path, str]:
    """Return all that is generated, by the file that it belongs into."""
    modules = {"numbers": python.numbers, "algorithms": python.algorithms, "events": python.events}
    modules |= {"constants": python.constants, "state": python.state, "variables": python.variables}
    modules |= {"bounds": python.bounds}
    headers = {"numbers": c.numbers, "constants": c.constants, "state": c.state, "tables": c.tables, "events": c.events}
    headers |= {"algorithms": c.algorithms, "units": c.units, "bounds": c.bounds}
    texts = {PYTHON / "__init__.py": '"""Written from coupling.toml by fmu_src/generator."""\n'}
    texts |= {PYTHON / f"{name}.py": make(d) for name, make in modules.items()}
    texts |= {KERNEL / f"{name}.h": make(d) for name, make in headers.items()}
    pages = {DOCS / name: with_tables(d, name, (DOCS / name).read_text(encoding="utf-8")) for name in TABLES}
    return texts | {KEYS: keys(d)} | pages


def main(words: list[str]) -> int:
    """Write stale files, or with `--check` in `words` only name them."""
    stale = [
        (path, text)
        for path, text in files(read()).items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in stale:
        print(f"{path.relative_to(ROOT)} is not what coupling.toml says: make generate", file=sys.stderr)
        if "--check" not in words:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return 1 if stale and "--check" in words else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
