"""What a step of the coupling costs in WebAssembly, against C for this machine, and what runs of a page take."""

import base64

import pytest

from couplant.pack import build_coupling_fmu
from couplant.pack.binaries.platforms import host
from couplant.pack.binaries.prebuilt import wasm_modules
from couplant.pack.settings import runtime_settings
from tests.c.programs import run
from tests.c.test_loader import Unpacked
from tests.c.test_realtime import harness, interface
from tests.workbench import node
from workbench.build.systems import TIMINGS, engine_data, settings_text

LINUX = pytest.mark.skipif("linux" not in host().name, reason="the C program counts system calls with seccomp")
MOST, LONGEST = 4.0, 0.5
"""Time of a step over that in C [-]; of 100 000 samples through network and coupling [s]."""

MODULES = """\
const modules = {};
for (const [name, text] of Object.entries(given.modules)) {
  modules[name] = new WebAssembly.Module(Buffer.from(text, "base64"));
}
const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
"""

STEPS = """\
import { Fmu } from "./engine/fmu.js";

// what tests/c/realtime.c sets
function signalAt(n) {
  const arc = (n % 60) / 30 - 1;
  const noise = ((n * 7919) % 1000) / 1000;
  const course = Math.floor(n / 2000) % 2 ? 4 * arc * (1 - Math.abs(arc)) : noise;
  return course + (Math.floor(n / 500) % 2) * 3;
}

function measured(settings) {
  const fmu = new Fmu(modules.coupling).open(settings);
  const [inputs, output] = [fmu.group(["y", "y_time", "y_valid"]), fmu.group(["y_hat"])];
  const [values, first, last] = [new Float64Array(4), [0, 1, 2], [3]];
  const batches = [];
  let n = 0;
  fmu.enter(0);
  fmu.begin();
  for (let i = 0; i < 4000; i++) {
    const begin = performance.now();
    for (let j = 0; j < 100; j++, n++) {
      const late = 2 + (n * 7919) % 3;
      const sent = n > late ? n - late : 0;
      values[0] = signalAt(sent);
      values[1] = sent * 0.01;
      values[2] = Number(n % 97 !== 0 && n >= late);
      inputs.write(values, first);
      fmu.step(n * 0.01, 0.01);
      output.read(values, last);
    }
    batches.push((performance.now() - begin) * 1e4);
  }
  return median(batches);
}
answer(Math.min(...[0, 1, 2].map(() => measured(given.settings))));
"""

RUNS = """\
import { runRecording } from "./engine/run.js";

const samples = Float64Array.from({ length: 100001 }, (_, n) => Math.sin(0.05 * n) + 0.1 * Math.cos(1.3 * n));
const usual = { modules, data: given.data, samples, macroStep: 0.01, k: 3 };
const times = {};
for (const [timing, algorithm] of given.cases) {
  times[`${timing}, ${algorithm}`] = median([0, 1, 2, 3, 4].map((seed) => {
    const begin = process.cpuUsage();
    runRecording({ ...usual, timing, algorithm, seed });
    const { user, system } = process.cpuUsage(begin);
    return (user + system) * 1e-6;
  }));
}
answer(times);
"""


def encoded():
    return {name: base64.b64encode(content).decode() for name, content in wasm_modules().items()}


@LINUX
@pytest.mark.parametrize("algorithm", ["zoh", "eros4", "irregular", "auto"])
def test_a_step_in_node_costs_at_most_four_times_that_in_c(tmp_path, algorithm):
    """Set + step + get with the same samples, batches of 100 steps, the least median of three runs."""
    fmu = Unpacked(build_coupling_fmu(interface(algorithm), "s", tmp_path), tmp_path / "unpacked").arguments(host())[2:]
    native = min(float(run([harness(signal=algorithm), "time", *fmu]).split()[0]) for _ in range(3))
    settings = settings_text(runtime_settings(interface(algorithm), "s").lists())
    wasm = node.run(MODULES + STEPS, {"modules": encoded(), "settings": settings})
    print(f"\n{algorithm}: WebAssembly {wasm:.0f} ns, C {native:.0f} ns, ratio {wasm / native:.2f}, at most {MOST:g}")
    assert wasm <= MOST * native


@LINUX
def test_a_hundred_thousand_samples_take_half_a_second():
    """The chosen algorithm through network and coupling, of a recording; median of five runs, time of processors."""
    cases = [(timing, algorithm) for timing in TIMINGS for algorithm in ("zoh", "smb", "eros4", "irregular", "auto")]
    times = node.run(MODULES + RUNS, {"modules": encoded(), "data": engine_data(), "cases": cases})
    print("", *(f"{name}: {1e3 * seconds:.0f} ms" for name, seconds in times.items()), sep="\n")
    assert max(times.values()) <= LONGEST
