"""Channels of MDF 3 and 4 files, by asammdf."""

from pathlib import Path
from typing import Any

import numpy as np

from couplant.base.errors import UsageError
from couplant.tables.channels import Channel, Channels, Loaded, missing, unreadable
from couplant.tables.headings import Reading


def channels(path: Path, how: Reading) -> Channels:
    """Return the channels of numbers, one value a sample; the masters of their groups have the times.

    Raise `UsageError` if asammdf is missing, or cannot read the file.
    """
    try:
        from asammdf import MDF
    except ImportError:
        raise missing(path, "asammdf", "mdf") from None
    try:
        file: Any = MDF(path)
        found: list[tuple[str, int, int]] = []
        for group, content in enumerate(file.groups):
            masters = file.masters_db.get(group)
            others = ((i, one.name) for i, one in enumerate(content.channels) if i != masters)
            found += [(name, group, i) for i, name in others if _is_number(file, group, i)]
        names = [name for name, _, _ in found]
        places = [(name if names.count(name) == 1 else f"{name}.{group}", group, i) for name, group, i in found]
    except Exception as error:  # whatever a broken file leads to there
        raise unreadable(path, "MDF", error) from None

    def load(at: int) -> Channel:
        name, group, index = places[at]
        try:
            signal = file.get(group=group, index=index)
            value = np.asarray(signal.samples, dtype=float)
            value = value if signal.invalidation_bits is None else np.where(signal.invalidation_bits, np.nan, value)
        except Exception as error:
            raise UsageError(f"{path}: channel {name} cannot be read: {error}.") from None
        return Channel(name, str(signal.unit or ""), np.asarray(signal.timestamps, dtype=float), value)

    return Loaded(str(path), [name for name, _, _ in places], load)


def _is_number(file: Any, group: int, index: int) -> bool:
    samples = file.get(group=group, index=index, record_offset=0, record_count=1).samples
    return samples.ndim == 1 and samples.dtype.kind in "fiub"
