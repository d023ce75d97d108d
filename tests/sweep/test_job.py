"""What all points share is made once, and what cannot run is known before the first run."""

import pytest

from couplant.base.errors import UsageError
from couplant.cosim import load_scenario
from couplant.sweep.job import make_job, named_files, settings_digest
from couplant.sweep.table import Cell


def made(loaded, cells, folder):
    return make_job(loaded, "settings", cells, folder, lambda share, text: None)


def cells(algorithm="foh", latencies=(1, 2), jitters=(0.0,), losses=(0.0,)):
    return [Cell("event", algorithm, k, j, p) for k in latencies for j in jitters for p in losses]


def test_one_fmu_for_each_setting(loaded, tmp_path):
    job, refused = made(loaded(), cells(jitters=(0.0, 2.0), losses=(0.0, 0.1)), tmp_path)
    assert refused == {}
    prototypes_and_network, constant, by_stamps = 3, 2 * 3, 3
    assert len(job.fmus) == prototypes_and_network + constant + by_stamps
    assert {path.name for path in tmp_path.iterdir() if path.is_file()} == set(job.fmus.values())


def test_the_reference_is_that_of_the_scenario(loaded, tmp_path):
    job, _ = made(loaded(), cells(latencies=(1,)), tmp_path)
    assert sorted(map(str, job.reference)) == ["mass_1.v1", "mass_1.x1", "mass_2.f"]
    assert all(values.shape == (51,) for values in job.reference.values())


def test_a_point_that_the_settings_refuse_gets_its_reason(loaded, tmp_path):
    both = cells("network", (3,), (0.0, 2.0))
    _, refused = made(loaded(), both, tmp_path)
    (cell,) = refused
    assert cell == both[1]
    assert 'latency.mode = "stamps", allowed "constant" with a network' in refused[cell]


def test_an_algorithm_that_can_run_nowhere_is_an_error(loaded, tmp_path):
    with pytest.raises(UsageError, match="network cannot run at any point: "):
        made(loaded(), [*cells("network", (3,), (2.0,)), *cells("foh", (3,))], tmp_path)


def test_the_digest_tells_settings_and_not_axes(loaded):
    base = settings_digest(loaded())
    for axis in (
        "network.latency_steps=9",
        "network.loss=0.5",
        "network.seed=4",
        'algorithms=["zoh"]',
        "sweep.seeds=3",
    ):
        assert settings_digest(loaded(axis)) == base
    for other in (
        "macro_step=0.01",
        "network.reordering=false",
        "force_on_mass_2=1.0",
        "coupling.discontinuity.enabled=true",
    ):
        assert settings_digest(loaded(other)) != base


def test_the_digest_tells_the_contents_of_files(tmp_path):
    text = 'name = "x"\nmacro_step = 0.1\n[components.a]\nrecording = "a.csv"\n[signals.s]\nfrom = "a.y"\n'
    (tmp_path / "x.toml").write_text(text, encoding="utf-8")
    digests = set()
    for value in (1, 2, 2):
        (tmp_path / "a.csv").write_text(f"time_s,y\n0,0\n1,{value}\n", encoding="utf-8")
        digests.add(settings_digest(load_scenario(tmp_path / "x.toml")))
    assert len(digests) == 2


def test_all_files_of_a_scenario_are_found(loaded):
    changes = ('components.mass_1={fmu="a.fmu"}', 'network.replay="b.csv"', 'coupling.configuration="c.toml"')
    found = named_files(loaded(*changes, 'signals.f.coupling.fmu="d.fmu"', 'components.r={recording="e.csv"}'))
    assert found == ["a.fmu", "b.csv", "c.toml", "d.fmu", "e.csv"]
