"""A real local Dask cluster of two worker processes gives what the processes of this machine give."""

import os
import sys

import distributed
import pytest

from couplant.base.errors import CouplantError, UsageError
from couplant.sweep import Where, sweep
from couplant.sweep import cluster as cluster_module
from couplant.sweep.cluster import cluster
from tests import attacker

AXES = {"algorithms": "zoh,eros3", "latency": "1:2", "jitter": "0,2", "loss": "0.1", "seeds": "2"}


@pytest.fixture(scope="module")
def address():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address=":0") as running:
        with distributed.Client(running, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        yield running.scheduler_address


def test_the_rows_are_those_of_processes(oscillator, short, tmp_path, address):
    places = {"cluster": Where(dask=address), "here": Where(workers=2)}
    for name, where in places.items():
        sweep(oscillator, tmp_path / name, AXES, assignments=short, where=where)
    on_cluster, here = ((tmp_path / name / "sweep.csv").read_bytes() for name in places)
    assert on_cluster == here
    assert here.count(b"\n") == 1 + 16
    assert b"failed" not in here


@pytest.mark.landing("a cluster of processes")
def test_both_workers_run_points_and_nothing_stays_there(oscillator, short, tmp_path, address):
    with distributed.Client(address, set_as_default=False) as client:
        before = set(client.run(_logged))
        sweep(oscillator, tmp_path, AXES, assignments=short, where=Where(dask=address), fresh=True)
        logs = client.run(_logged)
        assert len(before) == 2
        assert all(ran > 0 for ran, _ in logs.values())
        assert all(folders == [] for _, folders in logs.values())


def _logged(dask_worker):
    """Return how many tasks a worker has run and what sweeps left in its folder."""
    from pathlib import Path

    ran = [key for key, *_ in dask_worker.state.log if str(key).startswith("_run-")]
    return len(ran), [path.name for path in Path(dask_worker.local_directory).glob("couplant-*")]


@pytest.mark.landing("a cluster of processes")
@attacker.POSIX
def test_an_fmu_that_ends_its_process_ends_no_worker(address, tmp_path):
    path = attacker.build(tmp_path, late="exit0")
    with distributed.Client(address, set_as_default=False) as client:
        before = client.run(os.getpid)
        done = sweep(path, tmp_path / "out", {"latency": "0,3"}, where=Where(dask=address))
        assert client.run(os.getpid) == before
        assert all(folders == [] for _, folders in client.run(_logged).values())
    assert [row.reason for row in done.table.sorted()] == [
        "",
        "bad (FMU attacker) ended its process in fmi2DoStep at t = 0.2 s: exit(0); printed last: at work.",
    ]


def test_other_versions_on_the_workers_are_refused(address, monkeypatch):
    monkeypatch.setattr(cluster_module, "__version__", "99.0")
    with pytest.raises(CouplantError, match=r"dask = .*: worker tcp://.* has couplant .*, needed is 99\.0 as here\.$"):
        with cluster(address):
            pass


@pytest.mark.landing("a second cluster")
def test_a_cluster_without_workers(monkeypatch):
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.5)
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        with pytest.raises(CouplantError, match="the scheduler has no workers"):
            with cluster(empty.scheduler_address):
                pass


@pytest.mark.landing("a cluster: 10 s of CPU")
def test_an_address_where_nothing_answers(monkeypatch):
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.5)
    with pytest.raises(CouplantError, match=r"dask = tcp://127\.0\.0\.1:9: no scheduler answers there: "):
        with cluster("tcp://127.0.0.1:9"):
            pass


@pytest.mark.landing("loads a library of clusters")
@pytest.mark.sample(1)
@pytest.mark.parametrize("address", ["", "host", "foo://host:1", "tcp://", "tcp://host", "tcp://a b:1", "8786"])
def test_what_is_no_address(address):
    with pytest.raises(UsageError, match="allowed host:port or tcp://host:port"):
        with cluster(address):
            pass


@pytest.mark.landing("many runs: 7 s of CPU")
def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'couplant\[dask\]'"):
        with cluster("tcp://host:1"):
            pass
