"""One variable of a coupling FMU."""

from dataclasses import dataclass

from .guard import UNLIMITED


@dataclass(frozen=True)
class Variable:
    """One variable of the FMU."""

    name: str  # structured name, at most 55 characters
    kind: str  # real, integer, boolean or enumeration
    role: str  # input, output, fixed, tunable (parameters) or independent
    record: str  # where the state holds the value
    field: str  # its field there
    start: float | None  # start value where the configuration says nothing; None for calculated variables
    description: str  # one line
    unit: str = ""  # "", "s", "1/s", "signal", "signal/s"; a leading "d " marks a relative quantity
    minimum: float = -UNLIMITED  # smallest allowed value
    maximum: float = UNLIMITED  # largest allowed value
    items: str = ""  # name of the enumeration
    index: int = -1  # position in a list, or -1
    feature: str = ""  # what the configuration must ask for to have the variable; "" for those that every FMU has

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
