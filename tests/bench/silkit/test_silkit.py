"""SIL Kit: against a library with its interface in C, compiled here; against its own where that is installed."""

from ctypes.util import find_library

import pytest

from couplant.base.errors import CouplantError, UsageError
from couplant.bench import load_bench, run_bench
from couplant.bench.carriers.meeting import MOST
from couplant.bench.carriers.silkit import LIBRARY, SilKitTransport
from couplant.bench.transport import End, load_transport
from couplant.config.bench import TransportTable
from tests.bench.silkit.stand_in import FOLDER, itself, needs_silkit, simulation
from tests.bench.virtual import SCENARIO


@pytest.fixture(name="simulation")
def simulation_here():
    """Return the folder that stands for a registry."""
    with simulation() as folder:
        yield folder


def end(side, **more):
    return End(side, settings=TransportTable(name="silkit", **more), topic="t")


@pytest.fixture
def ends(simulation):
    made = [SilKitTransport.opened(end(side)) for side in ("left", "right")]
    yield made
    for one in made:
        one.close()
        one.close()


def heard(one, count):
    found = []
    while len(found) < count:
        one.wait(5.0)
        found += one.receive()
    return found


def test_there_and_back_whole_in_order_and_not_to_oneself(ends):
    left, right = ends
    datagrams = [bytes([i, 0]) * (1 + 30 * i) for i in range(10)]
    for one in datagrams:
        left.send(one)
    assert heard(right, 10) == datagrams
    right.send(b"back\0")
    assert heard(left, 1) == [b"back\0"]
    assert left.receive() == right.receive() == []


def test_of_a_flood_the_newest_stay_and_the_rest_is_told(ends):
    left, right = ends
    sent = 0
    while not right._mailbox.dropped:
        left.send(sent.to_bytes(4, "little"))
        sent += 1
        assert sent < 1_000_000
    found = [int.from_bytes(one, "little") for one in right.receive()]
    assert len(found) <= MOST and found == sorted(found)
    assert "faster than they were taken" in right.remarks()[0]


def test_names_of_participants_are_told_apart_and_a_second_one_is_refused(ends, simulation):
    assert len(list(simulation.iterdir())) == 2
    with pytest.raises(CouplantError, match=r"^tcp/127.0.0.1:8500: no registry of SIL Kit: taken: "):
        SilKitTransport.opened(end("left"))


def test_a_side_whose_other_end_is_gone_goes_on(ends):
    left, right = ends
    right.close()
    for _ in range(3):
        left.send(b"x")
        assert left.receive() == []


def test_without_a_registry_there_is_a_sentence(simulation, monkeypatch):
    monkeypatch.setenv(FOLDER, str(simulation / "nowhere"))
    with pytest.raises(CouplantError) as error:
        SilKitTransport.opened(end("left", endpoint="tcp/localhost:9999"))
    assert str(error.value) == "tcp/localhost:9999: no registry of SIL Kit: no registry at: silkit://localhost:9999."


def test_without_the_library_or_with_another_one_there_is_a_sentence(monkeypatch, tmp_path):
    monkeypatch.delenv(LIBRARY, raising=False)
    monkeypatch.setattr("couplant.bench.carriers.silkit.find_library", lambda name: None)
    with pytest.raises(UsageError, match=rf"^bench.transport = silkit: needs libSilKit .* {LIBRARY} may say"):
        SilKitTransport.opened(end("left"))
    for wrong in (str(tmp_path / "none.so"), find_library("c")):
        monkeypatch.setenv(LIBRARY, wrong)
        with pytest.raises(UsageError, match=f"^{LIBRARY} = {wrong}: allowed is libSilKit 4 or newer"):
            SilKitTransport.opened(end("left"))


@pytest.mark.parametrize("text", ["tls/127.0.0.1:8500", "silkit://127.0.0.1:8500", "tcp/127.0.0.1"])
def test_an_endpoint_that_is_none(text):
    with pytest.raises(UsageError, match=r"^bench.transport.endpoint = .*allowed is tcp/HOST:PORT"):
        SilKitTransport.check(end("left", endpoint=text), True)
    with pytest.raises(UsageError, match="anywhere = true only"):
        SilKitTransport.check(end("left", endpoint="tcp/other.example:8500"), False)


@pytest.mark.landing("a bench in real time: 2 s of CPU")
def test_a_bench_of_three_processes_with_the_relay_between(simulation):
    result = run_bench(load_bench(SCENARIO, ["duration=2.0", "wire=false"]), transport=load_transport("silkit"))
    for direction in result.directions[0]:
        assert direction.told["taken"] == direction.counts["sent"] == 201
        assert direction.counts["arrived"] > 150 and direction.counts["foreign"] == 0
    assert list(simulation.iterdir()) == [], "everybody has left"


@needs_silkit
def test_without_its_registry_its_library_gives_a_sentence():
    with itself(), pytest.raises(CouplantError, match=r"^tcp/127\.0\.0\.1:9: no registry of SIL Kit: [A-Z][^:]+\.$"):
        SilKitTransport.opened(end("left", endpoint="tcp/127.0.0.1:9"))


@needs_silkit
@pytest.mark.landing("a bench in real time: 2 s of CPU")
def test_a_bench_over_the_library_of_its_maker():
    with itself() as endpoint:
        settings = ["duration=2.0", "wire=false", f'bench.transport.endpoint="{endpoint}"']
        result = run_bench(load_bench(SCENARIO, settings), transport=load_transport("silkit"))
    assert all(direction.counts["arrived"] > 150 for direction in result.directions[0])
