"""Two FMUs are equal if they have the same entries and the same token, and whatever differs is named."""

import json
import zipfile
import zlib

import pytest

from couplant.pack.archive import write
from couplant.pack.comparison import compare
from couplant.pack.describe.xml import VERSIONS
from tests.cli.conftest import couplant as couplant
from tests.pack.test_native_coupling import build

TOKENS = {"2": "guid", "3": "instantiationToken"}


def copied(path, target, changes=None, more=()):
    """Write an FMU again, not compressed, with `changes` to its entries by name; None leaves one out."""
    target.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as other:
        for name in reversed(archive.namelist()):
            content = (changes or {}).get(name, lambda text: text)(archive.read(name))
            if content is not None:
                other.writestr(name, content)
        for name in more:
            other.writestr(name, b"more")
    return target


@pytest.fixture
def fmu(tmp_path):
    return build(tmp_path)


def test_how_it_is_packed_does_not_count(fmu, tmp_path, monkeypatch, couplant):
    other = copied(fmu, tmp_path / "other" / "b.fmu")
    assert other.read_bytes() != fmu.read_bytes() and compare(fmu, other).equal
    assert couplant("info", fmu, other) == couplant("info", fmu, fmu)
    assert (couplant("info", fmu, other).status, couplant("info", fmu, other).out) == (0, "equal\n")
    weakest = zlib.compressobj
    monkeypatch.setattr(write.zlib, "compressobj", lambda level, *rest: weakest(1, *rest))
    again = build(tmp_path / "again")
    assert again.read_bytes() != fmu.read_bytes() and compare(fmu, again).equal


@pytest.mark.parametrize("fmi", VERSIONS)
def test_another_token_is_told(fmi, tmp_path, couplant):
    path = build(tmp_path, fmi=fmi)
    token = compare(path, path).tokens[0]
    stale = token[:-2] + ("0" if token[-2] != "0" else "1") + token[-1]
    said, other = (f'{TOKENS[fmi]}="{one}"'.encode() for one in (token, stale))
    changed = {"modelDescription.xml": lambda content: content.replace(said, other)}
    done = couplant("info", path, copied(path, tmp_path / "other" / "b.fmu", changed))
    assert (done.status, done.out) == (1, f"token: {token}, {stale}\ndiffers: modelDescription.xml\n")


def test_other_settings_are_other_tokens(fmu, tmp_path):
    found = compare(fmu, build(tmp_path / "other", algorithm="foh"))
    assert not found.equal and found.tokens[0] != found.tokens[1]
    assert "modelDescription.xml" in found.changed and "resources/settings.txt" in found.changed


def test_each_entry_that_differs_is_named(fmu, tmp_path, couplant):
    changes = {
        "resources/settings.txt": lambda text: text[:-1] + bytes([text[-1] ^ 1]),
        "extra/couplant/origin.txt": lambda text: None,
    }
    other = copied(fmu, tmp_path / "other" / "b.fmu", changes, ["more.txt"])
    done = couplant("info", fmu, other)
    lines = ["only in the first: extra/couplant/origin.txt", "only in the second: more.txt"]
    assert (done.status, done.out.splitlines()) == (1, [*lines, "differs: resources/settings.txt"])
    told = json.loads(couplant("info", fmu, other, "--json").out)
    assert (told["equal"], told["only_second"], told["changed"]) == (False, ["more.txt"], ["resources/settings.txt"])


def test_what_is_no_fmu_is_refused(fmu, tmp_path, couplant):
    (tmp_path / "no.fmu").write_bytes(b"no")
    for pair in ((fmu, tmp_path / "no.fmu"), (tmp_path / "no.fmu", fmu), (fmu, tmp_path / "none.fmu")):
        done = couplant("info", *pair)
        assert done.status == 2 and "not an FMU that can be read" in done.err
    done = couplant("info", fmu, fmu, "--toml")
    assert done.status == 2 and "--toml: allowed with one FMU" in done.err
