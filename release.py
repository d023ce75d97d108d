"""``make release``: everything that a release consists of, in `dist`, from this tree; nothing is published.

The wheel, the page of the workbench, the documentation as a site, licences, a list of what is in it (SBOM), what the
changelog says, and checksums of all of them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from couplant.pack.describe.xml import VERSIONS
from couplant.pack.fmu import header_licence
from couplant.version import __version__

ROOT = Path(__file__).resolve().parent
OUTPUT = ROOT / "dist"
SUMS = "SHA256SUMS"
PAGE = "couplant/_data/workbench/page.html"
BROUGHT = (
    ("FMI headers 2.0 and 3.0", "2.0.4, 3.0", "BSD-2-Clause", "resources/headers/fmi3/fmi3Functions.h"),
    ("uPlot", r"\(v([\d.]+)\)", "MIT", "resources/uplot/uPlot.iife.min.js"),
    ("smol-toml", r"(\d+\.\d+\.\d+)", "BSD-3-Clause", "resources/smol-toml/README.md"),
)
"""What others wrote and the wheel carries: name, version or the pattern of it, licence, a file that has it."""


def version() -> str:
    """Return the version of this tree; raise SystemExit if a tag on it says another one."""
    own = __version__
    asked = subprocess.run(
        ["git", "tag", "--points-at", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    others = [tag for tag in asked if re.fullmatch(r"v\d.*", tag) and tag != f"v{own}"]
    if others:
        raise SystemExit(f"tag = {others[0]}, allowed v{own}: builder/couplant/version.py has {own}.")
    return own


def changes(own: str) -> str:
    """Return what the changelog says of the version `own`; raise SystemExit if it says nothing."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(own)}\b.*\n((?:(?!## ).*\n)*)", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"CHANGELOG.md has no section on {own}.")
    return found[1].strip() + "\n"


def licences() -> str:
    """Return the texts of all licences of what the wheel carries."""
    paths = [ROOT / "LICENSE", *sorted((ROOT / "resources").rglob("LICENSE"))]
    texts = [f"{path.relative_to(ROOT).as_posix()}\n\n{path.read_text(encoding='utf-8').strip()}" for path in paths]
    texts += [header_licence(fmi).strip() for fmi in VERSIONS]
    return f"\n\n{'-' * 80}\n\n".join(texts) + "\n"


def bill(own: str) -> dict[str, Any]:
    """Return what couplant consists of, and the packages that it is tested with, as CycloneDX 1.6."""
    needed = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    parts = [_component(name, at, f"pkg:pypi/{name}@{at}") for name, at in needed]
    for name, pattern, licence, path in BROUGHT:
        at = re.findall(pattern, (ROOT / path).read_text(encoding="utf-8"))[0] if "\\" in pattern else pattern
        parts.append(_component(name, at) | {"licenses": [{"license": {"id": licence}}]})
    whole = _component("couplant", own, f"pkg:pypi/couplant@{own}") | {"licenses": [{"license": {"id": "MIT"}}]}
    head = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1}
    return head | {"metadata": {"component": whole}, "components": parts}


def _component(name: str, at: str, purl: str = "") -> dict[str, Any]:
    found = {"type": "library", "name": name, "version": at}
    return found | ({"purl": purl} if purl else {})


def checksums(folder: Path) -> str:
    """Return the hashes of all files of a `folder` as ``sha256sum --check`` reads them."""
    paths = sorted(path for path in folder.iterdir() if path.name != SUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in paths)


def make(folder: Path, own: str) -> Iterator[str]:
    """Make all parts of the version `own` in an empty `folder`; yield what is made next."""
    yield "the wheel, with binaries for all platforms"
    words = ["-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    _run(*words, COUPLANT_PREBUILT="all")
    yield "the page"
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        (folder / "workbench.html").write_bytes(wheel.read(PAGE))
    yield "the documentation, whose notebooks are run"
    with tempfile.TemporaryDirectory() as scratch:
        words = ["-m", "sphinx", "-q", "-W", "-c", "docs", "-b", "html", "-d", f"{scratch}/trees"]
        _run(*words, ".", f"{scratch}/html", told=False)
        shutil.make_archive(str(folder / "documentation"), "zip", f"{scratch}/html")
    yield "licences, what is in it, checksums"
    listed = json.dumps(bill(own), indent=2) + "\n"
    for name, text in {"changes.md": changes(own), "licences.txt": licences(), "sbom.json": listed}.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    (folder / SUMS).write_text(checksums(folder), encoding="utf-8", newline="\n")


def _run(*words: str, told: bool = True, **more: str) -> None:
    error = None if told else subprocess.PIPE
    done = subprocess.run([sys.executable, *words], cwd=ROOT, env={**os.environ, **more}, stderr=error, check=False)
    if done.returncode:
        sys.stderr.buffer.write(done.stderr or b"")
        raise SystemExit(f"{' '.join(words[:2])} failed (status {done.returncode}): {OUTPUT.name} is as before.")


def main() -> None:
    """Make a release beside `OUTPUT` and put it there when it is whole."""
    own = version()
    changes(own)
    ready = OUTPUT.with_name(f"{OUTPUT.name}.new")
    shutil.rmtree(ready, ignore_errors=True)
    ready.mkdir()
    try:
        for step in make(ready, own):
            print(f"{own}: {step} ..", flush=True)
        shutil.rmtree(OUTPUT, ignore_errors=True)
        ready.rename(OUTPUT)
    finally:
        shutil.rmtree(ready, ignore_errors=True)
    for path in sorted(OUTPUT.iterdir()):
        print(f"{path.stat().st_size / 1e3:10.1f} kB   {OUTPUT.name}/{path.name}")


if __name__ == "__main__":
    main()
