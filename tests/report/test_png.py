import numpy as np
import pytest
from matplotlib.image import imread

from couplant.base.style import colour
from couplant.report.png import write_png


def size(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


def pixels(path):
    return (imread(path)[:, :, :3] * 255).round().astype(int)


def test_width_and_height(canonical, tmp_path):
    path = tmp_path / "report.png"
    write_png(canonical, path)
    width, height = size(path)
    assert width == 1600
    assert 900 <= height <= 1500


def test_best_algorithm_is_seen(canonical, tmp_path):
    path = tmp_path / "report.png"
    write_png(canonical, path)
    picture = pixels(path)
    for name in ("eros4", "zoh"):
        rgb = [int(colour(name)[i : i + 2], 16) for i in (1, 3, 5)]
        assert (np.abs(picture - rgb).max(axis=2) <= 2).sum() > 500, name


@pytest.mark.parametrize("rows", [1, 2, 100, 200_000])
def test_any_length(make_run, make_result, tmp_path, rows):
    path = tmp_path / "report.png"
    write_png(make_result([make_run("foh", "step", 0.1, rows=rows, signals=("f",))]), path)
    assert size(path)[0] == 1600


def test_run_that_blows_up(make_run, make_result, tmp_path):
    run = make_run("zoh", "step", 0.1, rate=20.0)
    run.traces["f"].estimate[900:] = np.inf
    run.traces["x1"].estimate[900:] = np.nan
    path = tmp_path / "report.png"
    write_png(make_result([run, make_run("foh", "step", 0.01)]), path)
    assert size(path)[0] == 1600


def test_dollar_signs_are_not_mathematics(make_run, make_result, tmp_path):
    path = tmp_path / "report.png"
    write_png(make_result([make_run("foh", "step", 0.1, signals=("cost $\\frac{$",))]), path)
    assert size(path)[0] == 1600


def test_equal_results_give_equal_pictures(canonical, tmp_path):
    for name in ("a.png", "b.png"):
        write_png(canonical, tmp_path / name)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
