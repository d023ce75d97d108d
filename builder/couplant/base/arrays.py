"""Types of arrays: what they hold, and how many axes they have."""

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]  # real numbers along one axis
Matrix = NDArray[np.float64]  # real numbers along two axes or more
ComplexArray = NDArray[np.complex128]  # complex numbers along any axes
IndexArray = NDArray[np.intp]  # places in other arrays
Mask = NDArray[np.bool_]  # true where something holds
