"""The page as bytes: the same twice, small, with a policy that names its script and lets it connect to nothing."""

import os
import re
import sys

import numpy as np
import pytest

from couplant.base.inline import script_hash
from couplant.workbench import page as pages
from couplant.workbench.data import page_data, shown
from tests import commands

LIMIT = 1_500_000


@pytest.fixture(scope="module")
def page():
    return pages.page()


def test_the_page_is_small_and_the_same_in_every_process(page, tmp_path):
    path = tmp_path / "page.html"
    words = [sys.executable, "-m", "couplant", "workbench", "--output", str(path), "--no-open"]
    commands.run(words, check=True, env=os.environ | {"PYTHONHASHSEED": "7"}, capture_output=True)
    assert path.read_text(encoding="utf-8") == page
    assert len(page.encode()) < LIMIT


def test_nothing_in_the_page_asks_for_another_file_or_connects(page):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    parts = dict(one.split(" ", 1) for one in policy.split("; "))
    assert parts["default-src"] == "'none'" and "connect-src" not in parts
    assert parts["worker-src"] == "blob:" and "unsafe-eval'" in parts["script-src"]
    assert "'unsafe-eval'" not in parts["script-src"] and "'unsafe-inline'" not in parts["script-src"]
    script = page.split('<script id="program">')[1].split("</script>")[0]
    assert f"'{script_hash(script)}'" in parts["script-src"]
    assert page.count("<script") == page.count("</script>") == 4, "no text in it ends a script"
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", page.split("<script")[0])


def test_a_recording_in_the_page_keeps_its_channels(tmp_path):
    path = tmp_path / "run.csv"
    rows = np.stack([0.01 * np.arange(200), np.sin(0.1 * np.arange(200))], axis=1)
    np.savetxt(path, rows, "%.9g", ";", header="t;</script>&x", comments="")
    recording = page_data(shown(path))["recording"]
    assert recording["name"] == "run.csv" and len(recording["times"]) == 1
    assert [one["name"] for one in recording["channels"]] == ["</script>&x"]
    assert "</script>&x" not in pages.page(shown(path))
