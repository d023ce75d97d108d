"""What networks have learnt leaves the FMUs through outputs and files, and the next run starts from it."""

import pytest

from couplant.base import paths
from couplant.base.errors import UsageError
from couplant.config import load_interface
from tests.kernel.library import needs_compiler
from tests.unwired import simulate

pytestmark = needs_compiler

SCENARIO = paths.root() / "examples" / "04_learning" / "scenario.toml"
LEARNS = ("duration=12.0", 'algorithms=["network_embedded"]')
GOES_ON = ("duration=0.2", 'algorithms=["network_off"]')


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """A run, and the file with what it has learnt."""
    folder = tmp_path_factory.mktemp("learnt")
    (run,) = simulate(SCENARIO, LEARNS, output=folder).runs
    return run, folder / "runs" / "event_network_embedded_learnt.toml"


@pytest.mark.landing("two learning runs")
def test_the_next_run_starts_from_what_was_learnt(learnt):
    run, path = learnt
    (before,) = simulate(SCENARIO, GOES_ON).runs
    (after,) = simulate(SCENARIO, (*GOES_ON, f'coupling.network.learnt="{path}"')).runs
    assert set(run.learnt) == {"x1", "v1", "f"}
    assert before.learnt != run.learnt
    assert after.learnt == run.learnt


@pytest.mark.landing("loops that learn: 3 s of CPU")
def test_a_settings_file_names_it_too(learnt, tmp_path):
    run, path = learnt
    config = tmp_path / "bench.toml"
    text = '[interface]\nname = "b"\nmacro_step = 0.02\n[signals.f]\nalgorithm = "network"\n'
    config.write_text(text + f'latency = {{ constant_steps = 3 }}\nnetwork = {{ learnt = "{path}" }}\n')
    assert load_interface(config).signals["f"].network.weights == run.learnt["f"]


def test_a_file_without_the_signal_is_refused(learnt, tmp_path):
    _, path = learnt
    config = tmp_path / "bench.toml"
    config.write_text(
        f'[interface]\nname = "b"\nmacro_step = 0.02\n[signals.torque]\nnetwork = {{ learnt = "{path}" }}\n'
    )
    with pytest.raises(UsageError, match=r"no signals\.torque\.network\.weights, as network\.learnt needs them"):
        load_interface(config)
