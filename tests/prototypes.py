"""All models: those that come with couplant by name, the published prototypes by the folders of their sources."""

from __future__ import annotations

from pathlib import Path

from couplant.pack.describe.model_sheet import SHEET, model_names, read_sheet

PUBLISHED = Path(__file__).resolve().parents[1] / "examples" / "published" / "models"
MODELS = tuple(sorted([*model_names(), *(path.parent.name for path in PUBLISHED.glob(f"*/{SHEET}"))]))


def model(name):
    """Return what builds a model: its name, or the folder of its source."""
    return name if name in model_names() else PUBLISHED / name


def sheet_of(name):
    return read_sheet(name if name in model_names() else PUBLISHED / name / SHEET)
