"""Exceptions of the runtime; every message is one sentence with the quantity, its value and what is allowed."""


class SettingsError(ValueError):
    """The settings text of an FMU cannot be used: damaged, foreign or of another version."""


class ParameterRefused(ValueError):
    """A variable was given a value outside its range; the old value stays."""


class StepRefused(ValueError):
    """A communication step cannot be carried out: wrong time or wrong step size."""


class CallRefused(RuntimeError):
    """A function was called in a wrong order; nothing happened."""


class StateRefused(ValueError):
    """A serialised state is truncated, foreign or of another version; the present state stays."""
