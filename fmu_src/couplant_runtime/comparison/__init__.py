"""Adaptive algorithms of the literature, for comparison, in the Python runtime only: they identify a model online.

Each of them says which past values and inputs its model continues; `identification` makes the algorithm of it.
"""
