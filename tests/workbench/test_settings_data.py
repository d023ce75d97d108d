"""Tables of settings as data: all that the schemas say, and nothing that stands elsewhere."""

import dataclasses
from datetime import date

import pytest
from pydantic import Field

from couplant.base.errors import CouplantError
from couplant.config import parameters
from couplant.config.frame.read import Real, Table, Whole, table_name
from couplant.config.interface import Document, Output, Signal
from couplant.config.parameters import parameter, setting
from workbench.build.settings import interface_settings, settings_of


class MoreOutput(Output):
    """A table to which a key was added."""

    further: Whole = setting(3, "a key that was added [-]", ge=1, le=9)


class MoreSignal(Signal):
    """A signal with that table."""

    output: MoreOutput = setting(MoreOutput(), "limits")


class MoreDocument(Document):
    """A file with such signals."""

    signals: dict[str, MoreSignal] = Field(description="one table for each signal", min_length=1)


def test_a_key_that_is_added_is_there_by_itself():
    data = settings_of(MoreDocument)
    name = table_name(MoreOutput)
    expected = {"written": "further", "check": {"kind": "int", "ge": 1, "le": 9}, "default": 3}
    assert data["tables"][name]["further"] == expected
    assert data["keys"][name]["further"]["description"] == "a key that was added [-]"
    assert data["keys"][name]["further"]["range"] == "1 to 9"
    assert data["tables"][table_name(MoreSignal)]["output"]["default"] == {}


def test_a_variable_of_the_fmu_brings_start_limits_and_unit(monkeypatch):
    row = dataclasses.replace(parameters._COUPLING["output.guard"], name="output.new", start=2.0, maximum=8.0)
    monkeypatch.setitem(parameters._COUPLING, "output.new", row)

    class New(Table):
        new: Real = parameter("output.new", "a new variable")

    found = settings_of(New)
    name = table_name(New)
    assert found["tables"][name]["new"]["default"] == 2.0
    assert found["tables"][name]["new"]["check"] == {"kind": "float", "ge": row.minimum, "le": 8.0}
    assert "to 8" in found["keys"][name]["new"]["range"]


def test_every_key_of_an_interface_is_there():
    data = interface_settings()
    for name, keys in data["keys"].items():
        assert [field["written"] for field in data["tables"][name].values()] == list(keys)
    assert data["root"] == table_name(Document)


class Dates(Table):
    """A table with an entry that pages know nothing of."""

    day: date = Field(description="a day")


class Lax(Table):
    """A table that takes texts for numbers."""

    number: float = Field(description="a number", allow_inf_nan=False)




def test_what_the_page_does_not_know_is_refused():
    with pytest.raises(CouplantError, match="the kind date"):
        settings_of(Dates)
    with pytest.raises(CouplantError, match="float that other types are made to be"):
        settings_of(Lax)
