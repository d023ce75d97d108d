"""Programs that import modules by the names they had before go on working."""

import importlib
import sys

import pytest

import couplant
from couplant.base.modules import MOVED, place


@pytest.mark.parametrize("old", [*MOVED, "couplant.ssp.insertion", "couplant.export.folder"])
def test_an_old_name_means_the_same_module(old):
    module, new = importlib.import_module(old), importlib.import_module(place(old))
    assert module is new and sys.modules[old] is new
    assert new.__spec__.name == new.__name__ == place(old)


def test_errors_are_caught_by_either_name():
    from couplant.errors import CouplantError

    assert CouplantError is couplant.CouplantError


def test_what_never_was_is_not_found():
    with pytest.raises(ModuleNotFoundError, match="nothing"):
        importlib.import_module("couplant.nothing")
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        importlib.import_module("couplant.ssp.nowhere")
