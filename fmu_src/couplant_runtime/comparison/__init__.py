"""Adaptive algorithms of the literature, for comparison, in the Python runtime only: they identify a model online.

Each module of an algorithm says which past values and inputs its model continues; `identification` does the rest.
"""
