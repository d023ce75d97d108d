"""The moving picture of README and site shows what the runs give."""

import re

import pytest

from docs.site import masses


@pytest.mark.landing("two closed loops: 3 s of CPU")
def test_the_picture_is_what_the_script_draws():
    told, drawn = (re.split(r"(-?\d+\.\d+)", text) for text in (masses.PICTURE.read_text("utf-8"), masses.draw()))
    assert told[::2] == drawn[::2]
    # the last digit drawn may round otherwise on another machine
    assert [float(x) for x in told[1::2]] == pytest.approx([float(x) for x in drawn[1::2]], abs=0.11)
