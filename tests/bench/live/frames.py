"""Frames as a side lets go of them, of one signal each way."""

import numpy as np

from couplant.bench.live.tap import pack_frame

WIDTHS = {"left": (1, 1), "right": (1, 1)}


def frame(i, side="left", case=0):
    """Return frame number `i` of a run with steps of 10 ms."""
    points = [[round(0.1 * i + 0.01 * j, 2), 1.0, 2.0, 3.0] for j in range(10)]
    counts, status = [10 * i, 0, 0, 0, 0, 10 * i], [1, 2, 0, 0]
    return {
        "side": side, "case": case, "time": round(0.1 * i, 1), "points": points, "latency": [0.01, 0.02, 0.03],
        "counts": counts, "status": status, "skill": [0.9], "energy": [],
    }  # fmt: skip


def packed(one, token):
    """Return the datagram of a frame."""
    head = {name: one[name] for name in ("side", "case", "counts")} | {"token": token}
    lists = {name: one[name] for name in ("latency", "status", "skill", "energy")}
    return pack_frame(head, one["time"], np.array(one["points"]), lists)
