"""A file of another verb is told in one sentence."""

from pathlib import Path

import pytest

from couplant.analysis.system_file import read_system
from couplant.base.errors import UsageError
from couplant.bench import load_bench
from couplant.config import load_interface
from couplant.config.scenario import load_scenario

ROOT = Path(__file__).resolve().parents[2]
INTERFACE = '[interface]\nname = "a"\nmacro_step = 0.01\n[signals.x]\n'
SCENARIO = ROOT / "examples" / "01_two_mass_oscillator" / "scenario.toml"
SYSTEM = ROOT / "tests" / "analysis" / "oscillator.toml"


@pytest.mark.parametrize(
    ("read", "path", "sentence"),
    [
        (load_scenario, None, "is an interface, which couplant build takes; scenarios have a table components"),
        (load_bench, None, "is an interface, which couplant build takes; scenarios have a table components"),
        (load_scenario, SYSTEM, "is a coupled system, which couplant stability takes; scenarios have"),
        (read_system, SCENARIO, "is a scenario, which couplant simulate takes; systems have a table prototypes"),
        (load_interface, SCENARIO, "is a scenario, which couplant simulate takes; interfaces have a table interface"),
    ],
)
def test_another_kind_of_file_is_one_sentence(tmp_path, read, path, sentence):
    if path is None:
        path = tmp_path / "interface.toml"
        path.write_text(INTERFACE, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        read(path)
    assert str(error.value).startswith(f"{path} {sentence}") and "\n" not in str(error.value)
