"""Coupling FMUs in systems that exist already: into SSP archives and out of them again."""

from couplant.ssp.insertion import Inserted, Placed, insert
from couplant.ssp.listing import Listing, listing
from couplant.ssp.removal import Removed, remove
from couplant.ssp.settings import Request

__all__ = ["Inserted", "Listing", "Placed", "Removed", "Request", "insert", "listing", "remove"]
