"""Where the files are that couplant reads but Python does not import.

In the tree they lie in the source roots, in an installed wheel below the package. Whoever asks for one that is not
there gets a `CouplantError`: the installation is damaged.
"""

import os
from pathlib import Path

from couplant.base.errors import CouplantError

_PACKAGE = Path(__file__).resolve().parents[1]
_INSTALLED = _PACKAGE / "_data"
_TREE = _PACKAGE.parents[1]


def root() -> Path:
    """Return the folder that holds `resources` and the C sources of `fmu_src`."""
    return _INSTALLED if _INSTALLED.is_dir() else _TREE


def resource(name: str) -> Path:
    """Return the path of a file or folder below `resources`, named with forward slashes."""
    return _existing(f"resources/{name}")


def fmu_source(name: str) -> Path:
    """Return the path of a file or folder below `fmu_src`, for instance ``"kernel/algorithms"``."""
    return _existing(f"fmu_src/{name}")


def demonstration() -> Path:
    """Return the folder of the example that ``couplant demo`` runs."""
    return _existing("examples/01_two_mass_oscillator")


def sample() -> Path:
    """Return the path of the recording that the workbench begins with."""
    return _existing("examples/03_recording/torque_a.csv")


def workbench() -> Path:
    """Return the folder of the page that shows everything in the browser."""
    return _existing("workbench")


def cache_directory() -> Path:
    """Return the folder for what is made once: COUPLANT_CACHE_DIR, `build/cache` in a working tree, or the user's."""
    if os.environ.get("COUPLANT_CACHE_DIR"):
        return Path(os.environ["COUPLANT_CACHE_DIR"])
    if (root() / "pyproject.toml").is_file():
        return root() / "build" / "cache"
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(home) / "couplant"


def licence() -> Path:
    """Return the path of the licence of couplant."""
    return _existing("LICENSE")


def _existing(name: str) -> Path:
    path = root() / name
    if not path.exists():
        raise CouplantError(f"{name} is missing from this installation of couplant: install it again.")
    return path
