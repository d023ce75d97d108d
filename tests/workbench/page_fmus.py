"""FMUs that the page writes, in node."""

from __future__ import annotations

import base64
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from couplant.pack.binaries.prebuilt import wasm_modules
from tests.workbench.node import WORKBENCH, run
from workbench.build.page import translated
from workbench.build.settings import interface_settings
from workbench.build.take import take_files

_SCRIPT = """
import { Settings } from "./settings/settings.js";
import { buildFmu } from "./take/build.js";
const settings = new Settings(given.data);
const module = await WebAssembly.compile(Buffer.from(given.module, "base64"));
const made = async ({ text, signal, fmi, platforms }) => {
  const { interface: checked, errors } = settings.check(text, "interface.toml");
  if (errors) return { errors };
  try {
    const request = { checked, signal, fmi, platforms, files: given.files, tables: given.data.tables, module };
    const { name, bytes } = await buildFmu(request);
    return { name, bytes: Buffer.from(bytes).toString("base64") };
  } catch (error) {
    return { errors: [error.message], stack: error.stack };
  }
};
const found = [];
for (const job of given.jobs) found.push(await made(job));
answer(found);
"""


def page_folder(folder: Path) -> Path:
    """Return a folder with all modules of the page, those that are translated too."""
    place = folder / "page"
    shutil.copytree(WORKBENCH, place)
    for path, text in translated().items():
        (place / path).write_text(text, encoding="utf-8")
    return place


def kernels() -> dict[str, str]:
    """Return all modules of WebAssembly in base64, by name."""
    return {name: base64.b64encode(content).decode("ascii") for name, content in wasm_modules().items()}


def page_given() -> dict[str, Any]:
    """Return what the page knows: settings, what FMUs have alike, the kernel."""
    return {
        "data": interface_settings(),
        "files": take_files(),
        "module": base64.b64encode(wasm_modules(["coupling"])["coupling"]).decode("ascii"),
    }


def page_fmus(
    place: Path, jobs: Sequence[Mapping[str, Any]], given: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Return name and bytes of an FMU for each of the `jobs`, or the errors; `given` is what the page knows."""
    known = {**(given or page_given()), "jobs": list(jobs)}
    found: list[dict[str, Any]] = run(_SCRIPT, known, folder=place, timeout=900)
    return [{**one, "bytes": base64.b64decode(one["bytes"])} if "bytes" in one else one for one in found]
