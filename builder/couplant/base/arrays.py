"""Types of arrays: what they hold, and how many axes they have."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
"""Real numbers along one axis."""

Matrix = NDArray[np.float64]
"""Real numbers along two axes or more."""

ComplexArray = NDArray[np.complex128]
"""Complex numbers along any axes."""

IndexArray = NDArray[np.intp]
"""Places in other arrays."""

Mask = NDArray[np.bool_]
"""True where something holds."""
