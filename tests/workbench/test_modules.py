"""The modules of WebAssembly that the page runs."""

import base64

import pytest

from couplant.base.errors import CouplantError
from couplant.pack.binaries import compile as compiler
from couplant.pack.binaries.prebuilt import OF_THE_PAGE, modules, wasm_modules
from tests.workbench.node import run

SCRIPT = """\
import { Fmu } from "./engine/fmu.js";

const found = {};
for (const [name, text] of Object.entries(given.modules)) {
  const module = new WebAssembly.Module(Buffer.from(text, "base64"));
  const fmu = new Fmu(module, name).open(given.settings[name]);
  fmu.enter(0);
  fmu.begin();
  fmu.step(0, 0.01);
  found[name] = { imports: WebAssembly.Module.imports(module).length, time: fmu.get("time") };
  fmu.free();
}
answer(found);
"""
BARE = "couplant settings 1\ntoken t\nhash 0000000000000001\n"


@pytest.mark.landing("every module: 5 s of CPU")
def test_every_model_runs_in_a_module_that_imports_nothing():
    pytest.importorskip("ziglang")
    every = wasm_modules(name for name in modules() if name != "coupling")
    texts = {name: base64.b64encode(content).decode() for name, content in every.items()}
    found = run(SCRIPT, {"modules": texts, "settings": dict.fromkeys(texts, BARE)})
    assert found.keys() == modules().keys() - {"coupling"} > set(OF_THE_PAGE) - {"coupling"}
    assert all(one == {"imports": 0, "time": 0.01} for one in found.values())


def test_what_is_missing_is_said_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("COUPLANT_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(compiler.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(CouplantError, match=r"^compiling for wasm32 needs zig: pip install ziglang\.$"):
        wasm_modules(["network"])


def test_a_module_that_there_is_not_is_no_module():
    with pytest.raises(KeyError, match="nothing"):
        wasm_modules(["nothing"])
