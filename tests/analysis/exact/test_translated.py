"""In JavaScript every number has the same bits."""

import shutil

import pytest

from couplant.analysis import GENERIC, generic
from couplant.analysis.exact.autocorrelation import spectrum_of_band, tolerances_of_spectrum
from couplant.analysis.exact.hermite import Prior, hermite_weights, moments
from couplant.analysis.exact.numerics import sine_cosine
from couplant.analysis.exact.tables import detector_rows
from couplant.analysis.exact.tolerance import shorten, tolerance_of_observer, tolerance_of_weights
from couplant_runtime.known import Weights
from tests.workbench.node import WORKBENCH, run
from workbench.build.settings import settings_modules

STEPS = (0, 1, 2, 3, 6, 20, 64)
ANGLES = [0.01 * 1.3**n for n in range(60)]
BAND = [0.02, 0.3, 8, 2, 1e-6]
SCRIPT = """
import { sine_cosine } from "./python/couplant.analysis.exact.numerics.js";
import { shorten, tolerance_of_observer, tolerance_of_weights } from "./python/couplant.analysis.exact.tolerance.js";
import { Weights } from "./python/couplant_runtime.known.js";
import { spectrum_of_band, tolerances_of_spectrum } from "./python/couplant.analysis.exact.autocorrelation.js";
import { detector_rows } from "./python/couplant.analysis.exact.tables.js";
import { Prior, hermite_weights, moments } from "./python/couplant.analysis.exact.hermite.js";
const both = (make) => [false, true].map(make);
const spectrum = spectrum_of_band(...given.band);
const known = moments(70);
const fitted = given.steps.map((k) => hermite_weights(k, new Prior(5, 3), known));
answer({
  angles: given.angles.map(sine_cosine),
  weights: given.weights.map((row) => both((step) => tolerance_of_weights(new Weights(...row), 0.3, step))),
  observer: given.steps.map((k) => both((step) => tolerance_of_observer(k, 0.85, step).map(shorten))),
  spectrum: [spectrum.noise, spectrum.correlation, spectrum.gradient],
  tolerances: both((step) => tolerances_of_spectrum(spectrum, step)),
  detector: detector_rows(),
  fitted: fitted.map((one) => [one.a, one.slopes, one.b, one.b_slopes]),
});
"""


def listed(value):
    """Return tuples as lists, which JSON has in their place."""
    return [listed(one) for one in value] if isinstance(value, (list, tuple)) else value


@pytest.fixture(scope="module")
def rows():
    found = [generic(name, k) for name in GENERIC if name != "smb" for k in STEPS]
    return [[one.k, one.a, one.A, (0.1, -0.1), (0.0, 0.05)] for one in found]


@pytest.fixture(scope="module")
def in_node(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(WORKBENCH / "python", folder / "python")
    names = ("tolerance", "autocorrelation", "tables", "hermite")
    for path, text in settings_modules([f"couplant.analysis.exact.{name}" for name in names]).items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return run(SCRIPT, {"angles": ANGLES, "steps": STEPS, "weights": rows, "band": BAND}, folder=folder)


def test_angles(in_node):
    assert in_node["angles"] == listed([sine_cosine(x) for x in ANGLES])


def test_tolerances(in_node, rows):
    weights = [[tolerance_of_weights(Weights(*row), 0.3, step) for step in (False, True)] for row in rows]
    assert in_node["weights"] == listed(weights)
    observer = [[map(shorten, tolerance_of_observer(k, 0.85, step)) for step in (False, True)] for k in STEPS]
    assert in_node["observer"] == [[list(pair) for pair in row] for row in observer]


def test_what_is_known_of_a_band(in_node):
    spectrum = spectrum_of_band(*BAND)
    assert in_node["spectrum"] == listed([spectrum.noise, spectrum.correlation, spectrum.gradient])
    assert in_node["tolerances"] == listed([tolerances_of_spectrum(spectrum, step) for step in (False, True)])


def test_the_detector(in_node):
    assert in_node["detector"] == listed(detector_rows())


def test_weights_with_derivatives(in_node):
    known = moments(70)
    fitted = [hermite_weights(k, Prior(5, 3), known) for k in STEPS]
    assert in_node["fitted"] == listed([[one.a, one.slopes, one.b, one.b_slopes] for one in fitted])
