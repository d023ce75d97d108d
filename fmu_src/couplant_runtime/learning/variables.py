"""Variables that only FMUs with the algorithm `network` have."""

from ..guard import UNLIMITED
from .fields import MOST_WEIGHTS

FEATURE = "network"
LARGEST_WEIGHT = 1e6
MOST_STEPS = 1000000.0

OUTPUTS = (
    ("learning.state", "enumeration", "phase", "collecting, training or judging", "LearningState"),
    ("learning.accepted", "integer", "accepted", "new weights that were taken", ""),
    ("learning.refused", "integer", "refused", "new weights that were not taken", ""),
    ("learning.fallbacks", "integer", "fallbacks", "returns to the weights of the start", ""),
)
FIXED = (
    ("learning.cycle_steps", "integer", "cycle_steps", 100.0, "macro steps of a learning cycle", 10.0, MOST_STEPS),
    ("learning.judge_steps", "integer", "judge_steps", 50.0, "macro steps of a test of new weights", 5.0, MOST_STEPS),
    ("learning.prior", "real", "prior", 0.3, "expected change of a weight", 1e-6, 1e3),
    ("learning.safe", "boolean", "safe", 1.0, "take new weights only after a test", -UNLIMITED, UNLIMITED),
    ("learning.gain_max", "real", "gain_max", 1.25, "largest gain, as a multiple of that of the start", 1.0, 1e3),
)
TUNABLE = (("learning.enabled", "boolean", "enabled", 1.0, "learn while running"),)
WEIGHTS = tuple(
    (f"network.weights[{i + 1}]", i, f"weight {i + 1} of the network: first, second, last layer, row by row")
    for i in range(MOST_WEIGHTS)
)
