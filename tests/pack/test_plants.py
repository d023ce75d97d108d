"""Models in the settings of an FMU."""

import pytest

from couplant.base.errors import UsageError
from couplant.pack.settings import runtime_settings
from tests.c.signals import MODELLED, interface_of


def test_a_model_whose_excitation_does_not_show_is_refused_by_the_name_of_its_signal():
    unseen = {**MODELLED, "model": {**MODELLED["model"], "disturbance": [0.0, 0.0]}}
    with pytest.raises(UsageError, match=r"^signals\.s: its model has no observer: .* a leak above 0 helps$"):
        runtime_settings(interface_of(unseen), "s")
