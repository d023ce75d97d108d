"""Names of Python that the run-time library has."""

from __future__ import annotations

EXCEPTIONS = (
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "Exception", "IndexError", "KeyError",
    "KeyboardInterrupt", "LookupError", "NotImplementedError", "OSError", "OverflowError", "RuntimeError",
    "StopIteration", "TypeError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "ValueError",
    "ZeroDivisionError",
)  # fmt: skip
"""The exceptions."""
