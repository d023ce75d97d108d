"""The page writes the FMUs that `couplant build` writes, entry for entry, and refuses what it refuses."""

from __future__ import annotations

import base64
import hashlib
import random
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import fmpy
import pytest
from fmpy.validation import validate_fmu

from couplant.base.errors import UsageError
from couplant.base.inline import join
from couplant.config import load_interface
from couplant.pack import build_coupling_fmu
from couplant.pack.binaries.platforms import PLATFORMS, host
from couplant.pack.check import check_fmu
from couplant.pack.comparison import compare
from couplant.pack.plan import needs_energy
from couplant.pack.settings import runtime_settings
from tests.pack.entries import entries
from tests.workbench.node import ROOT, run
from tests.workbench.page_fmus import page_fmus, page_folder, page_given
from tests.workbench.take_documents import documents
from workbench.build.taken import left_to_command

SEED = 18
COUNT = 190
FILES = (
    *("examples/03_recording/torque.toml", "examples/12_hybrid_vehicle/torque.toml"),
    "resources/templates/start/interface.toml",
)
HEAD = '[interface]\nname = "a"\nmacro_step = 0.01\n'
WRONG = (
    "",
    "[interface",
    HEAD,
    HEAD + "[signals.s]\nalgorithm = 'eros33'\n",
    HEAD + "[signals.s]\nlatency.constant_steps = 65\n",
    HEAD + "[signals.s]\nlatency.constant_step = 6\n",
    HEAD + "[signals.s]\nalgorithm = { selected = 'linear', a = [1.0] }\n",
    HEAD + "[signals.s]\nalgorithm = { selected = 'irregular', band = [9.0, 1.0] }\n",
    HEAD + "[signals.s]\noutput = { min = 2.0, max = 1.0 }\n",
    HEAD + "[signals.s]\nunit = 'a b'\nburst = 99\n",
    HEAD + "[signals.s]\n[bonds.b]\neffort = 's'\nflow = 'v'\n",
    HEAD.replace("0.01", "-1.0") + "timing = 'both'\n[signals.\"a b\"]\n",
)
SIGNAL = HEAD + "[signals.s]\nlatency.constant_steps = 3\n"
LEFT = (
    SIGNAL + "algorithm = { selected = 'phasor', frequency = 5.0 }\n",
    SIGNAL + "algorithm = 'network'\n",
    SIGNAL + "algorithm = 'recursive_fir'\n",
    SIGNAL + "algorithm = 'linear'\nderivative = 'v'\n",
    SIGNAL + "algorithm = 'eros3'\nlatency.follow = 'lag'\nlatency.offset_max = 0.02\n",
    SIGNAL + "algorithm = 'eros3'\nlatency.follow = 'off'\n",
    SIGNAL + "algorithm = 'eros3'\n[signals.v]\n[bonds.b]\neffort = 's'\nflow = 'v'\n",
    SIGNAL + "algorithm = 'model'\n[models.m]\nA = [[-1.0]]\nB = [[1.0]]\nC = [[1.0]]\n"
    "inputs = ['f']\noutputs = ['s']\n",
)
ODD = (
    "\ufeff" + SIGNAL.replace("\n", "\r\n").replace(" = ", "\t=\t"),
    SIGNAL + "unit = '<b>&\"]]>$&'\nstart = 5e-324\n",
    SIGNAL + "unit = '😀%{0}'\nstart = 123456789012345678901234567890\n",
    SIGNAL + "start = -1.7976931348623157e308\noutput.rate_max = 1e-300\n",
    HEAD.replace("0.01", "1e9") + f"[signals.{'x' * 55}]\nstart = -0.0\nlatency.constant_steps = 64\n",
    HEAD.replace("0.01", "-0.0") + "[signals.constructor]\nsignal.period = 1e-300\n[signals.toString]\n",
)
NAMES = ("__proto__", "\"it's\"", "'a\"b'", "ä", "'ä😀'", "''", "x" * 56)
STARTS = ("1e400", "inf", "nan", "1" + "0" * 400, "2026-01-01", "true", "'1'", "١")
BURSTS = ("9" * 30, "1.0", "-0", "0x9", "1_0", "[1]", "{ a = 1 }")
UNITS = ("'a\u00a0b'", "'\u2028'", "'\ufffe'", "''", '"\\u0007"', "1")
ODD_WRONG = (
    *(SIGNAL.replace("\n", "\r"), SIGNAL + "\x00", SIGNAL + "# \x7f", SIGNAL + "\u2028", "[" * 5000, "\n" * 9999 + "x"),
    *(SIGNAL + "unit = 'm'\nunit = 'm'\n", SIGNAL + SIGNAL, SIGNAL + "[signals.s]\n", SIGNAL + "__proto__ = 1\n"),
    *("interface = 3\n", "[[interface]]\n", HEAD + "[[signals.s]]\n", HEAD + "[signals]\ns = 3\n"),
    *(HEAD + f"[signals.{name}]\nburst = 9\n" for name in NAMES),
    *(SIGNAL + f"start = {value}\n" for value in STARTS),
    *(SIGNAL + f"burst = {value}\n" for value in BURSTS),
    *(SIGNAL + f"unit = {value}\n" for value in UNITS),
    SIGNAL + "".join(f"[signals.s{n}]\nburst = {n}\n" for n in range(100)),
    SIGNAL + "algorithm = { selected = 'irregular', noise = 1e7 }\n",
)
HASHES = """
import { crc32 } from "./engine/checksum.js";
import { sha256 } from "./take/libraries.js";
const bytes = (text) => new TextEncoder().encode(text);
answer(given.map((text) => [sha256(text), crc32(bytes(text))]));
"""
ENTRY = """\
import { Settings } from "./settings/settings.js";
import { buildFmu } from "./take/build.js";

export function start() {
  globalThis.page = { Settings, buildFmu };
}
"""
JOINED = """
import { runInThisContext } from "node:vm";
runInThisContext(given.script);
const { Settings, buildFmu } = globalThis.page;
const { interface: checked } = new Settings(given.data).check(given.text, "interface.toml");
const module = new WebAssembly.Module(Buffer.from(given.module, "base64"));
const request = { checked, signal: "s", fmi: "3", platforms: ["x86_64-windows"], files: given.files };
const { bytes } = await buildFmu({ ...request, tables: given.data.tables, module });
answer(Buffer.from(bytes).toString("base64"));
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Return the folder of the page."""
    return page_folder(tmp_path_factory.mktemp("take"))


def loaded(text, folder):
    path = folder / "interface.toml"
    path.write_bytes(text.encode())
    return load_interface(path)


def jobs_of(folder):
    """Return what is built: text, interface, signal, version of FMI, platforms; odd texts, examples, drawn by dice."""
    dice = random.Random(SEED)
    texts = [*ODD, *((ROOT / name).read_text(encoding="utf-8") for name in FILES)]
    given = ((text, loaded(text, folder)) for text in texts)
    every = documents(SEED, folder)
    drawn = ((text, one) for text, one in every if not any(left_to_command(one, name) for name in one.signals))
    return [
        (text, one, signal, dice.choice("23"), dice.sample(list(PLATFORMS), dice.choice((1, 1, 1, 2))))
        for text, one in [*given, *islice(drawn, COUNT)]
        for signal in one.signals
    ]


@pytest.mark.night("many FMUs of page and command: 41 s of CPU")
def test_entries_and_token_are_those_of_the_command(place, tmp_path):
    given = jobs_of(tmp_path)
    keys = ("text", "signal", "fmi", "platforms")
    asked = [dict(zip(keys, (text, *rest), strict=True)) for text, _, *rest in given]
    made = Counter((one.timing, fmi) for _, one, _, fmi, _ in given)
    assert len(given) >= 200 and len(made) == 4 and min(made.values()) > 40
    with ThreadPoolExecutor(1) as beside:
        page = beside.submit(page_fmus, place, asked)
        paths = [
            build_coupling_fmu(one, signal, tmp_path / str(n), fmi=fmi, platform=",".join(platforms))
            for n, (_, one, signal, fmi, platforms) in enumerate(given)
        ]
    for path, job, found in zip(paths, asked, page.result(), strict=True):
        assert "bytes" in found, (job, found)
        assert (found["name"], entries(found["bytes"])) == (path.name, entries(path)), job["text"]


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("key", "stale", "differ"),
    [
        ("digest", lambda digest: digest[::-1], {"modelDescription.xml", "resources/settings.txt"}),
        ("licences", lambda licences: licences[:1], {"documentation/licenses/license.txt"}),
    ],
)
def test_what_is_stale_in_the_page_is_noticed(place, tmp_path, key, stale, differ):
    text, given = SIGNAL + "algorithm = 'eros3'\n", page_given()
    given["files"]["2"][key] = stale(given["files"]["2"][key])
    job = {"text": text, "signal": "s", "fmi": "2", "platforms": [host().name]}
    (found,) = page_fmus(place, [job], given)
    (tmp_path / "page.fmu").write_bytes(found["bytes"])
    path = build_coupling_fmu(loaded(text, tmp_path), "s", tmp_path / "there")
    told = compare(path, tmp_path / "page.fmu")
    assert not told.equal and set(told.changed) >= differ
    assert (told.tokens[0] != told.tokens[1]) == (key == "digest") and entries(path) != entries(found["bytes"])


@pytest.mark.landing("FMUs with other binaries")
def test_what_is_left_to_the_command_is_what_other_binaries_run(tmp_path):
    drawn = [
        (left_to_command(one, signal) != "", needs_energy(runtime_settings(one, signal)))
        for _, one in islice(documents(SEED + 1, tmp_path), 300)
        for signal in one.signals
    ]
    assert all(left == other for left, other in drawn)
    assert 10 < sum(left for left, _ in drawn) < 100


def after_reading(lines):
    """Return sentences; those about what is not TOML have words of their own in the page."""
    return [line.partition("not a TOML file: ")[0] for line in lines]


def test_what_is_wrong_is_told_in_the_same_sentences(place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = (*WRONG, *ODD_WRONG)
    asked = [{"text": text, "signal": "s", "fmi": "2", "platforms": []} for text in texts]
    for text, found in zip(texts, page_fmus(place, asked), strict=True):
        (tmp_path / "interface.toml").write_bytes(text.encode())
        with pytest.raises(UsageError) as error:
            load_interface("interface.toml")
        assert after_reading(found["errors"]) == after_reading(str(error.value).split("\n")), text


def test_what_the_page_lacks_is_refused_with_the_command(place, tmp_path):
    asked = [{"text": text, "signal": "s", "fmi": "2", "platforms": []} for text in LEFT]
    for text, found in zip(LEFT, page_fmus(place, asked), strict=True):
        (tmp_path / "interface.toml").write_text(text, encoding="utf-8")
        told = left_to_command(load_interface(tmp_path / "interface.toml"), "s")
        assert found["errors"] == [told], text
        assert "couplant build interface.toml" in told


@pytest.mark.sample(1)
@pytest.mark.parametrize("fmi", ["2", "3"])
def test_an_fmu_of_the_page_runs(place, tmp_path, fmi):
    text = SIGNAL + "algorithm = 'eros3'\nunit = 'N.m'\n"
    (found,) = page_fmus(place, [{"text": text, "signal": "s", "fmi": fmi, "platforms": [host().name]}])
    path = tmp_path / found["name"]
    path.write_bytes(found["bytes"])
    assert validate_fmu(str(path)) == []
    assert check_fmu(path).problems == ()
    result = fmpy.simulate_fmu(str(path), stop_time=0.1, output_interval=0.01, step_size=0.01, start_values={"y": 2.0})
    assert result["y_hat"][-1] == pytest.approx(2.0)


def test_its_modules_can_be_joined_into_one_script(place, tmp_path):
    modules = {path.relative_to(place).as_posix(): path.read_text(encoding="utf-8") for path in place.rglob("*.js")}
    text = SIGNAL + "algorithm = 'eros3'\n"
    given = {**page_given(), "script": join({**modules, "entry.js": ENTRY}, "entry.js"), "text": text}
    (tmp_path / "interface.toml").write_text(text, encoding="utf-8")
    interface = load_interface(tmp_path / "interface.toml")
    path = build_coupling_fmu(interface, "s", tmp_path, fmi="3", platform="x86_64-windows")
    assert entries(base64.b64decode(run(JOINED, given))) == entries(path)


def test_hashes(place):
    dice = random.Random(256)
    texts = ["", "ä€😀", *("".join(dice.choices("abc\nä", k=n)) for n in (1, 54, 55, 56, 57, 63, 64, 65, 119, 5000))]
    want = [[hashlib.sha256(text.encode()).hexdigest(), zlib.crc32(text.encode())] for text in texts]
    assert run(HASHES, texts, folder=place) == want
