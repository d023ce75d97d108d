"""Names of what stands between the components of a scenario."""


def coupling_name(signal: str) -> str:
    """Return the name of the coupling FMU of `signal` in its run."""
    return f"{signal}.coupling"


def network_name(signal: str) -> str:
    """Return the name of the network of `signal` in its run."""
    return f"{signal}.network"
