"""An algorithm as a package brings it."""

import couplant


@couplant.algorithm(values=1)
def brought(past, k):
    return past[0]
