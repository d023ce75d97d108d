"""Ten million rows: reading them against numpy's reader in the same run, and the memory that it takes."""

import subprocess
import sys

import numpy as np

from benchmarks.test_analysis import best
from couplant.tables import read

ROWS = 10**7
PEAK = """
import resource, sys
from couplant.tables import read
read(sys.argv[1])["y"]
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_ten_million_rows(tmp_path):
    path = tmp_path / "long.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("time_s,y\n")
        for first in range(0, ROWS, 10**5):
            t = 1e-3 * np.arange(first, first + 10**5)
            np.savetxt(file, np.column_stack([t, np.sin(t)]), fmt="%.7g", delimiter=",")
    plain = best(lambda: np.loadtxt(path, delimiter=",", skiprows=1), 3)
    ours = best(lambda: read(path)["y"], 3)
    done = subprocess.run([sys.executable, "-c", PEAK, str(path)], capture_output=True, text=True, check=True)
    peak = int(done.stdout) / 1024
    print(f"\n10^7 rows: {ours / plain:.2f} of numpy's reader, allowed 1.2; peak memory {peak:.0f} MB, allowed 1000 MB")
    assert ours < 1.2 * plain and peak < 1000.0
