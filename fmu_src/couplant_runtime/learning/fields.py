"""The part of the state that only FMUs with a neural network have: the twin of `cp_neural` in C."""

MOST_WEIGHTS = 64
TRIANGLE = MOST_WEIGHTS * (MOST_WEIGHTS + 1) // 2
COLLECTING, TRAINING, JUDGING = 1, 2, 3

DOUBLES = (
    ("prior", 1),
    ("gain_max", 1),
    ("lowest", 1),
    ("highest", 1),
    ("spread", 1),
    ("power", 1),
    ("loss", 3),
    ("loss_far", 3),
    ("base", MOST_WEIGHTS),
    ("use", MOST_WEIGHTS),
    ("candidate", MOST_WEIGHTS),
    ("right", MOST_WEIGHTS),
    ("matrix", TRIANGLE),
    ("factor", TRIANGLE),
)
INTS = (
    ("enabled", 1),
    ("cycle_steps", 1),
    ("judge_steps", 1),
    ("phase", 1),
    ("accepted", 1),
    ("refused", 1),
    ("fallbacks", 1),
    ("collected", 1),
    ("column", 1),
    ("judged", 1),
    ("poor", 1),
    ("ranged", 1),
    ("safe", 1),
    ("spare", 1),
)
GROUPS = ((DOUBLES, "d"), (INTS, "i"))
