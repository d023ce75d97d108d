"""Check a certificate of `couplant certify` in whole numbers: python check_certificate.py < FILE."""

import json


def is_positive(rows, last=1):
    """Return whether a symmetric matrix of integers is positive definite: elimination without fractions (Bareiss)."""
    (first, *head), *rest = rows
    lower = [[(first * a - row[0] * b) // last for a, b in zip(row[1:], head, strict=True)] for row in rest]
    return first > 0 and (not rest or is_positive(lower, first))


def check(found):
    """Return whether all P > 0, and P_i - A' P_j A > 0 for every edge i -> j with the step x -> A x."""
    P, unit = found["P"], 4 ** found["bits"]
    right = all(one == [[*row] for row in zip(*one, strict=True)] and is_positive([[*row] for row in one]) for one in P)
    for i, j, step in found["edges"]:
        columns = [[(k, a) for k, a in enumerate(column) if a] for column in zip(*found["steps"][step], strict=True)]
        half = [[sum(row[k] * a for k, a in column) for row in P[j]] for column in columns]
        after = [[sum(row[k] * a for k, a in column) for column in columns] for row in half]
        rest = [[unit * P[i][r][c] - q for c, q in enumerate(row)] for r, row in enumerate(after)]
        right = right and is_positive(rest)
    return right


if __name__ == "__main__":
    print("proven" if check(json.load(open(0))) else "NOT PROVEN")
