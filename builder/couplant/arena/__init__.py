"""The arena: an open benchmark of latency compensation, ours, that of others, and yours; the package can be called.

>>> import couplant
>>> couplant.arena(small=True).to_dataframe()                     # doctest: +SKIP
"""

import sys
from types import ModuleType

from couplant.arena.play import play
from couplant.arena.scores import Arena

__all__ = ["Arena", "play"]


class _Callable(ModuleType):
    """A package that is a function too: ``couplant.arena(..)`` and ``from couplant.arena import Arena``."""

    __call__ = staticmethod(play)


sys.modules[__name__].__class__ = _Callable
