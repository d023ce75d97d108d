"""Coupling FMUs in systems that exist already: into SSP archives and out of them again."""

from couplant.elsewhere.ssp.insertion import Inserted, Placed, insert
from couplant.elsewhere.ssp.listing import Listing, listing
from couplant.elsewhere.ssp.removal import Removed, remove
from couplant.elsewhere.ssp.settings import Request

__all__ = ["Inserted", "Listing", "Placed", "Removed", "Request", "insert", "listing", "remove"]
