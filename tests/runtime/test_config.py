"""The settings text that travels in the FMU."""

import pytest

from couplant.pack.archive.identity import SettingsFile
from couplant.pack.settings import runtime_settings
from couplant_runtime.config import Settings
from couplant_runtime.errors import SettingsError

from .runs import interface

TABLE = [{"steps": k, "a": [1.0, 0.1 * k], "A": [0.5, -0.5]} for k in range(3)]
LINEAR = {"selected": "linear", "table": TABLE}


def text_of(settings):
    return SettingsFile("{token}", "fedcba9876543210", settings.lists()).text()


@pytest.mark.parametrize("timing", ["step", "event"])
@pytest.mark.parametrize("algorithm", ["eros3", LINEAR, {"selected": "linear", "a": [0.1], "A": [0.0]}])
def test_the_text_holds_everything_exactly(algorithm, timing):
    settings = runtime_settings(interface(algorithm, 0, timing, output={"min": -0.1}), "s")
    back = Settings.from_text(text_of(settings))
    assert back.lists() == settings.lists()
    assert (back.event, back.chosen, back.weights) == (timing == "event", settings.chosen, settings.weights)
    assert (back.token, back.fingerprint) == ("{token}", 0xFEDCBA9876543210)
    assert text_of(back) == text_of(settings)


WHOLE = text_of(runtime_settings(interface(LINEAR, 0), "s"))


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: "something else\n",
        lambda text: text.replace("settings 1", "settings 2", 1),
        lambda text: text[: len(text) // 2],
        lambda text: text[:-1],
        lambda text: text.replace("0x1", "0xg", 1),
        lambda text: text.replace("zeta.foh", "zeta.boo", 1),
        lambda text: "\n".join(line for line in text.split("\n") if not line.startswith("real")),
        lambda text: text.replace("hash ", "hash x", 1),
    ],
)
def test_damaged_settings_are_refused(damage):
    with pytest.raises(SettingsError):
        Settings.from_text(damage(WHOLE))


def test_every_line_is_needed():
    lines = WHOLE.split("\n")[:-1]
    for i in range(len(lines)):
        if not lines[i].startswith("weights"):
            with pytest.raises(SettingsError):
                Settings.from_text("\n".join([*lines[:i], *lines[i + 1 :], ""]))
