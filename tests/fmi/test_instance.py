"""Making instances: resources, tokens, logging, many at once."""

import ctypes as ct
import shutil
from urllib.parse import quote

import pytest

from tests.native import ERROR, OK, WARNING, Native


@pytest.fixture
def unpacked(built, tmp_path, fmi):
    """Return a function that makes an instance unpacked into a folder of a given name."""

    def make(name="plain", **more):
        instance = Native(built("mass_1", fmi), tmp_path / name, **more)
        return instance

    return make


NAMES = ["with space", "ümläut-日本", "ha#sh", "per%cent", "per%41cent", "a+b&c;d", "'quote'"]


@pytest.mark.parametrize("name", NAMES)
def test_resources_are_found_on_any_path(unpacked, fmi, tmp_path, name):
    path = tmp_path / name / "resources"
    uris = [path.as_uri(), f"file:{path}", f"file://{path}", f"file:{quote(str(path))}", f"file://localhost{path}"]
    uris += [path.as_uri() + "/", f"FILE://{quote(str(path), safe='')}", str(path), f"{path}/"]
    for uri in uris:
        instance = unpacked(name, resources=uri)
        assert instance.component, (uri, instance.messages)
        instance.free()


WRONG = [False, "", "file:///nowhere", "file:", "file:///" + "x" * 5000]


def test_a_library_knows_where_its_resources_lie(unpacked, fmi, tmp_path):
    """Some importers give no location, an empty one, or the folder above."""
    for resources in [*WRONG, str(tmp_path / "plain"), (tmp_path / "plain").as_uri()]:
        instance = unpacked(resources=resources)
        assert instance.component, (resources, instance.messages)
        instance.free()


def test_missing_resources_fail_with_a_sentence(unpacked, fmi, tmp_path):
    first = unpacked()
    first.free()
    (first.folder / "resources" / "settings.txt").unlink()
    for resources in [*WRONG, str(tmp_path)]:
        instance = unpacked(resources=resources)
        assert instance.component is None
        ((status, _, text),) = instance.messages
        assert status == ERROR and "settings.txt" in text


def test_model_exchange_is_refused_with_a_sentence(unpacked, fmi):
    if fmi == "2":
        instance = unpacked(kind=0)
        assert instance.component is None
        assert instance.messages == [(ERROR, "call", "this FMU is for co-simulation only")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "couplant settings 2\ntoken {}\nhash 0000000000000000\n",
        "couplant settings 1\ntoken {}\n",
        "couplant settings 1\ntoken {}\nhash 12\n",
        "couplant settings 1\ntoken {}\nhash 0000000000000000\nstart\n",
        "couplant settings 1\ntoken {}\nhash 0000000000000000\nstart 1\n",
        "couplant settings 1\ntoken {}\nhash 0000000000000000\nstart 1 0x1\n",
        "couplant settings 1\ntoken {}\nhash 0000000000000000\nstart 1 1.0\n",
        "couplant settings 1\ntoken {}\nhash 0000000000000000\nstart 1 0x1.8p+9999\n",
        "couplant settings 1\ntoken {}\nhash 0000000000000000\nstart 999999999 0x1.8p+1\n",
        "couplant settings 1\ntoken {}\nhash 0000000000000000\nstart 2 0x1.8p+1 0x1.8p+1\n",
        "couplant settings 1\ntoken {}\nhash 0000000000000000\nvariables 1 0x1.8p+7\n",
        "\0" * 100,
    ],
)
def test_damaged_settings_are_refused(unpacked, fmi, text):
    first = unpacked()
    first.free()
    (first.folder / "resources" / "settings.txt").write_text(text, encoding="utf-8")
    resources = f"{first.folder}/resources"
    shutil.copytree(first.folder, first.folder.with_name("copy"))
    make = first._make2 if fmi == "2" else first._make3
    assert make(token="{}", resources=resources) is None
    assert first.messages[-1][0] == ERROR


def test_another_token_is_refused(unpacked, fmi):
    instance = unpacked(token="{00000000-0000-0000-0000-000000000000}")
    assert instance.component is None
    assert "token" in instance.messages[-1][2]


def test_a_host_without_a_logger_is_served(built, tmp_path):
    instance = Native(built("mass_1", "2"), tmp_path / "a", logger=False)
    assert instance.component
    assert instance.step(0.0, 0.1) == ERROR
    instance.free()


def test_instances_do_not_share_anything(load, fmi):
    instances = [load("mass_1", fmi).initialise(m1=1.0 + i, f=1.0) for i in range(20)]
    rows = [[], []]
    for n in range(10):
        for instance in instances:
            assert instance.step(n * 0.1, 0.1) == OK
    rows = [instance.get("x1") for instance in instances]
    alone = load("mass_1", fmi).initialise(m1=8.0, f=1.0)
    assert alone.run(10, 0.1, "x1")[-1] == (rows[7],)
    assert len(set(rows)) == 20


def categories(instance, on, *names):
    array = (ct.c_char_p * max(len(names), 1))(*(name.encode() for name in names))
    return instance.call(
        "SetDebugLogging", bool(on) if instance.fmi == "3" else int(on), ct.c_size_t(len(names)), array
    )


def test_categories_are_switched_one_by_one(load, fmi):
    instance = load("mass_1", fmi)
    assert categories(instance, False, "call") == OK
    instance.step(0.0, 0.1)
    assert instance.messages == []
    assert categories(instance, True, "call") == OK
    instance.step(0.0, 0.1)
    assert len(instance.messages) == 1
    assert categories(instance, True, "nonsense") == ERROR
    assert categories(instance, True) == OK


def test_a_full_network_warns_once(load, fmi):
    instance = load("network", fmi).initialise(**{"latency.seconds": 1e5})
    for n in range(300):
        assert instance.step(n * 0.1, 0.1) == OK
    ((status, category, text),) = instance.messages
    assert (status, category) == (WARNING, "model")
    assert "t = " in text and "oldest" in text
