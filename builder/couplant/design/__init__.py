"""Design coupling algorithms for a band, a recording or a plant; the package itself can be called (`ask.design`).

>>> from couplant.design import DesignTask, design
>>> one = design(DesignTask(macro_step=0.02, k=3, band=(0.5, 12.0)))
>>> len(one.algorithm.a)
7
"""

from couplant.base.modules import make_callable
from couplant.design import ask
from couplant.design.closed_loop import loop_slope, mode_error, robust_design, robustness, with_design
from couplant.design.optimal import Design, choose_taps, design
from couplant.design.predictor import Predictor, Task, design_predictor
from couplant.design.task import DesignTask, Spectrum

__all__ = [
    "Design",
    "DesignTask",
    "Predictor",
    "Spectrum",
    "Task",
    "choose_taps",
    "design",
    "design_predictor",
    "loop_slope",
    "mode_error",
    "robust_design",
    "robustness",
    "with_design",
]

make_callable(__name__, ask.design)
