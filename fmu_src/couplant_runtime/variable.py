"""One variable of a coupling FMU."""

from dataclasses import dataclass

from .guard import UNLIMITED


@dataclass(frozen=True)
class Variable:
    """One variable of the FMU.

    Attributes
    ----------
    name : str
        Structured name, at most 55 characters.
    kind : str
        real, integer, boolean or enumeration.
    role : str
        input, output, fixed, tunable (parameters) or independent.
    record, field : str
        Where the state holds the value.
    start : float
        Start value where the configuration says nothing; None for calculated variables.
    description : str
        One line.
    unit : str
        "", "s", "1/s", "signal", "signal/s"; a leading "d " marks a relative quantity.
    minimum, maximum : float
        Allowed range, inclusive.
    items : str
        Name of the enumeration.
    index : int
        Position in a list, or -1.
    feature : str
        What the configuration must ask for to have the variable; "" for those that every FMU has.
    """

    name: str
    kind: str
    role: str
    record: str
    field: str
    start: float | None
    description: str
    unit: str = ""
    minimum: float = -UNLIMITED
    maximum: float = UNLIMITED
    items: str = ""
    index: int = -1
    feature: str = ""

    @property
    def causality(self) -> str:
        """Causality as in FMI."""
        return "parameter" if self.role in ("fixed", "tunable") else self.role

    @property
    def variability(self) -> str:
        """Variability as in FMI."""
        if self.causality == "parameter":
            return self.role
        return "continuous" if self.kind == "real" else "discrete"
