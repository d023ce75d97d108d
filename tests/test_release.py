"""What a release consists of, apart from what the wheel, the page and the site are held to elsewhere."""

import hashlib
import json
import re

import pytest

import release
from couplant.version import __version__


def test_the_version_is_that_of_the_package_and_a_tag_may_not_say_another(monkeypatch):
    tags = []
    monkeypatch.setattr(release.subprocess, "run", lambda *_, **__: type("Done", (), {"stdout": "\n".join(tags)}))
    assert release.version() == __version__
    tags += [f"v{__version__}", "note"]
    assert release.version() == __version__
    tags.append("v9.9")
    with pytest.raises(SystemExit, match=r"^tag = v9\.9, allowed v"):
        release.version()


def test_the_changelog_has_the_version_on_one_page():
    text = release.changes(__version__)
    assert text.startswith("The first release.") and len(text.split()) < 500
    with pytest.raises(SystemExit, match=r"no section on 9\.9"):
        release.changes("9.9")


def test_licences_are_those_of_all_that_others_wrote():
    text = release.licences()
    assert text.startswith("LICENSE\n\n") and "MIT" in text.split("-" * 80)[0]
    for words in ("Squirrel Chat", "Leon Sorokin", "Modelica Association"):
        assert words in text, words


def test_the_bill_names_everything_with_a_version():
    found = json.loads(json.dumps(release.bill(__version__)))
    assert (found["bomFormat"], found["metadata"]["component"]["version"]) == ("CycloneDX", __version__)
    names = {one["name"]: one["version"] for one in found["components"]}
    assert {"numpy", "scipy", "pydantic", "typer", "uPlot", "smol-toml"} <= set(names)
    assert all(re.match(r"\d", at) for at in names.values()), names


def test_checksums_are_what_sha256sum_reads(tmp_path):
    (tmp_path / "b.html").write_bytes(b"b")
    (tmp_path / "a.whl").write_bytes(b"a")
    (tmp_path / release.SUMS).write_bytes(b"old")
    lines = release.checksums(tmp_path).splitlines()
    assert lines == [f"{hashlib.sha256(name[:1].encode()).hexdigest()}  {name}" for name in ("a.whl", "b.html")]


def test_what_fails_leaves_the_last_release(tmp_path, monkeypatch):
    monkeypatch.setattr(release, "OUTPUT", tmp_path / "dist")
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "old.whl").write_bytes(b"old")

    def fails(folder, own):
        (folder / "half.whl").write_bytes(b"half")
        yield "the wheel"
        raise SystemExit("it failed")

    monkeypatch.setattr(release, "make", fails)
    with pytest.raises(SystemExit, match="it failed"):
        release.main()
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.whl")] == ["dist/old.whl"]
