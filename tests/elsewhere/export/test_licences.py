"""Licences of what is in a container: found where the standards and habit put them."""

import pytest

pytest.importorskip("fmu_manipulation_toolbox")

from couplant.elsewhere.container import FOLDER, is_licence, licences


@pytest.mark.parametrize("path", ["documentation/licenses/a/b", "LICENSE", "documentation/license.txt", "COPYING.md"])
def test_these_are_licences(path):
    assert is_licence(path)


@pytest.mark.parametrize("path", ["modelDescription.xml", "resources/a/license.txt", "binaries/license.dll"])
def test_these_are_not(path):
    assert not is_licence(path)


def test_those_of_couplant_the_tool_and_the_parts_go_along():
    deep = {f"resources/01/{FOLDER}/{name}/LICENSE": name.encode() for name in "ab"}
    files = {"resources/00/LICENSE": b"mine", "resources/00/a.c": b"", **deep}
    found = licences(files, {"resources/00": "mass", "resources/01": "other"})
    assert found.pop(f"{FOLDER}/mass/LICENSE") == b"mine"
    assert [found.pop(f"{FOLDER}/other/{name}/LICENSE") for name in "ab"] == [b"a", b"b"]
    texts = {path.split("/")[2]: text for path, text in found.items()}
    assert texts.keys() == {"couplant", "fmu_manipulation_toolbox"}
    assert b"Permission is hereby granted" in texts["couplant"]
    assert b"Redistribution and use in source and binary forms" in texts["fmu_manipulation_toolbox"]
