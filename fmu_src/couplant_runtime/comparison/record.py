"""The part of the state that only FMUs with an identified model have."""

from ..record import Record

PARAMETERS = 5
INPUTS = 128
GROUPS = (
    (
        (
            ("u", 1),
            ("forgetting", 1),
            ("first", 1),
            ("first_u", 1),
            ("low", 2),
            ("high", 2),
            ("parameters", PARAMETERS),
            ("covariance", PARAMETERS * (PARAMETERS + 1) // 2),
            ("inputs", INPUTS),
        ),
        "d",
    ),
    ((("learnt", 1), ("recorded", 1)), "q"),
    ((("samples", 1), ("settled", 1), ("ranged", 1), ("heard", 1)), "i"),
)


class ModelState(Record):
    """Identified model; `low` and `high` of y and u, and `inputs`, count from the first value.

    `inputs` are of the macro steps up to `recorded`, newest first; `learnt` is the slot of the last sample.
    """

    GROUPS = GROUPS
    __slots__ = tuple(name for group, _ in GROUPS for name, _ in group)
