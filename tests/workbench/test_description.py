"""A variable and an algorithm that are added to the description of the FMU are in the page.

Nothing is changed in JavaScript. The algorithm is that of the page on algorithms of one's own.
"""

import base64
import json
import shutil
import zipfile
from xml.etree import ElementTree

import pytest

from couplant.pack.binaries.platforms import host
from tests.kernel.library import needs_compiler
from tests.pack.entries import entries
from tests.pages.blocks import ROOT, blocks
from tests.pages.test_own_algorithm import PAGE, put, run
from tests.workbench import node

FOLDERS = ("fmu_src", "builder", "resources", "workbench", "tests", "docs")
EXAMPLES = ("examples/01_two_mass_oscillator", "examples/03_recording")
NAME = "parabola"
FIELD = '    ["margin", "f64", "s", "what nobody uses"],\n'
LIMITS = "{ start = 0.5, min = 0.25, max = 4, unit = 's' }"
VARIABLE = f"""
[[variables]]
feature = "output.margin"
rows = [["output.margin", "real", "fixed", "parameter.margin", "what nobody uses", {LIMITS}]]
"""
STEP = 0.125
SETTINGS = f'[interface]\nname = "a"\nmacro_step = {STEP}\ntiming = "event"\n[signals.s]\nlatency.constant_steps = 3\n'
RIGHT = SETTINGS + f'algorithm = "{NAME}"\noutput.margin = 2.0\n'
WRONG = SETTINGS + f'algorithm = "{NAME[:-1]}"\noutput.margin = 5.0\n'
MADE = """
import json
from pathlib import Path

from couplant.config import load_interface
from couplant.base.errors import UsageError
from couplant.pack import build_coupling_fmu
from couplant.pack.binaries.platforms import host
from couplant.base.style import label, palette
from workbench.build import take
from couplant.workbench import write_page
from workbench.build.page import translated
from tests.workbench.page_fmus import page_given

given, name = json.loads({given!r}), host().name
take.VERSIONS, take.PLATFORMS = ("3",), {{name: host()}}  # others take half a minute
write_page(Path("page.html"))
for path, text in translated().items():
    Path("workbench", path).write_text(text, encoding="utf-8")
Path("given.json").write_text(json.dumps(page_given()), encoding="utf-8")
Path("interface.toml").write_text(given["right"], encoding="utf-8")
fmu = build_coupling_fmu(load_interface("interface.toml"), "s", Path("."), fmi="3", platform=name)
Path("interface.toml").write_text(given["wrong"], encoding="utf-8")
try:
    load_interface("interface.toml")
except UsageError as error:
    found = {{"errors": str(error).splitlines(), "fmu": fmu.name, "label": label(given["name"]), "palette": palette()}}
    print(json.dumps(found))
"""
"""What the copy of the tree makes: a page, its modules, an FMU; and what it says of wrong settings."""
CHECKED = """
import { Fmu } from "./engine/fmu.js";
import { Settings } from "./settings/settings.js";
import { buildFmu } from "./take/build.js";

const settings = new Settings(given.data);
const module = await WebAssembly.compile(Buffer.from(given.module, "base64"));
const { interface: checked, errors = [] } = settings.check(given.right, "interface.toml");
const common = { files: given.files, tables: given.data.tables, module };
const { name, bytes } = await buildFmu({ checked, signal: "s", fmi: "3", platforms: [given.platform], ...common });

const fmu = new Fmu(module).open(given.settings);
fmu.enter(0);
fmu.begin();
const estimates = given.times.map((t) => {
  fmu.set("y", given.signal[t]);
  fmu.step(t * given.step, given.step);
  return fmu.get("y_hat");
});
answer({
  errors, wrong: settings.check(given.wrong, "interface.toml").errors, name, estimates,
  bytes: Buffer.from(bytes).toString("base64"),
});
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of the tree with an algorithm and a variable more, and its page."""
    folder = tmp_path_factory.mktemp("tree")
    for name in (*FOLDERS, *EXAMPLES):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    page = (one.text for one in blocks(PAGE) if one.language in ("toml", "python", "c"))
    row, python, c, _ = (text for text in page if NAME in text)
    (folder / "fmu_src" / "couplant_runtime" / "algorithms" / f"{NAME}.py").write_text(python + "\n")
    (folder / "fmu_src" / "kernel" / "algorithms" / f"{NAME}.c").write_text(c + "\n")
    description = folder / "fmu_src" / "coupling.toml"
    put(description, r"(?m)^(\[algorithms\]\n(?:.+\n)+)", rf"\g<1>{row}\n")
    put(description, r'(?m)^( +\["observer_gain", "f64".*\n)', rf"\g<1>{FIELD}")
    with description.open("a", encoding="utf-8") as file:
        file.write(VARIABLE)
    script = MADE.format(given=json.dumps({"right": RIGHT, "wrong": WRONG, "name": NAME}))
    for words in (("-m", "fmu_src.generator"), ("-m", "docs.site.schemas"), ("-c", script)):
        done = run(folder, *words)
        assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout)


@pytest.mark.night("a page in the browser: 20 s of CPU")
@needs_compiler
def test_the_page_writes_and_runs_what_the_command_does(tree):
    folder, told = tree
    fmu = folder / told["fmu"]
    with zipfile.ZipFile(fmu) as archive:
        description = ElementTree.fromstring(archive.read("modelDescription.xml"))
        settings = archive.read("resources/settings.txt").decode()
        shown = "".join(archive.read(name).decode() for name in archive.namelist() if name.endswith(".html"))
    times = range(40)
    signal = [(t * STEP) ** 2 for t in range(44)]
    given = json.loads((folder / "given.json").read_text(encoding="utf-8"))
    given |= {"right": RIGHT, "wrong": WRONG, "settings": settings, "platform": host().name, "step": STEP}
    found = node.run(CHECKED, {**given, "times": [*times], "signal": signal}, folder=folder / "workbench")
    assert (found["errors"], found["wrong"]) == ([], told["errors"])
    assert (found["name"], entries(base64.b64decode(found["bytes"]))) == (told["fmu"], entries(fmu))
    (added,) = (one for one in description.iter() if one.get("name") == "output.margin")
    said = {"start": "2.0", "min": "0.25", "max": "4.0", "unit": "s", "description": "what nobody uses"}
    assert said.items() <= added.attrib.items()
    assert "output.margin" in shown and NAME in shown
    assert found["estimates"][5:] == signal[9:], "a parabola is continued by the latency and the step"


@pytest.mark.landing("the page in a browser")
@needs_compiler
def test_the_views_offer_it(tree, opened):
    folder, told = tree
    address = (folder / "page.html").as_uri()
    view = opened(f"#system&algorithm={NAME}&k=1", address=address)
    view.page.locator("#view-system tbody th", has_text=told["label"]).wait_for()
    assert len(view.pixels(0, told["palette"]["light"][NAME])) > 100
    offered = view.page.locator("#view-system").get_by_label("algorithm").locator(f"option[value={NAME}]")
    assert offered.inner_text() == told["label"]
    rows = opened("#recording", address=address).page.locator("#view-recording .figures-area tbody th")
    rows.get_by_text(told["label"], exact=True).wait_for()


@pytest.mark.landing("a page in the browser: 27 s of CPU")
@needs_compiler
def test_its_settings_are_checked_and_its_fmu_is_saved(tree, opened, tmp_path):
    folder, told = tree
    page = opened("#take", address=(folder / "page.html").as_uri()).page
    page.get_by_label("interface.toml").fill(WRONG)
    page.locator("#view-take .problems li", has_text="output.margin").wait_for()
    assert page.locator("#view-take .problems li").all_inner_texts() == told["errors"]
    page.get_by_label("standard").select_option("3")
    page.get_by_label(host().name, exact=True).check()
    page.get_by_label("interface.toml").fill(RIGHT)
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Save {told['fmu']}", exact=True).click()
    download.value.save_as(tmp_path / told["fmu"])
    assert entries(tmp_path / told["fmu"]) == entries(folder / told["fmu"])
