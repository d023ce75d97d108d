"""The arena: an open benchmark of latency compensation, ours, that of others, and yours.

>>> import couplant
>>> couplant.arena(small=True).to_dataframe()                     # doctest: +SKIP
"""

from couplant.lab.arena.play import play
from couplant.lab.arena.scores import Arena

__all__ = ["Arena", "play"]
