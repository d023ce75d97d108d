"""A scenario as a HELICS federation: each component a federate in a process of its own, here or on other machines.

Nothing is imported here: a process loads what it needs, the broker hardly anything.
"""
