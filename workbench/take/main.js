// The worker that checks the settings of an interface while they are typed, and writes the FMUs of its signals.

import { Server } from "../serving.js";
import { Settings } from "../settings/settings.js";
import { left_to_command } from "../python/couplant.workbench.taken.js";
import { buildFmu } from "./build.js";

const FILE = "interface.toml";

// what `couplant build` would say of the text, and the signals whose FMUs it would make
function* checked({ settings }, { text }) {
  const { interface: found, errors = [], warnings = [] } = settings.check(text, FILE);
  const signals = errors.length > 0 ? [] : Array.from(found.signals, ([name]) => signalOf(found, name));
  yield { errors, warnings, signals };
}

function signalOf(found, name) {
  return { name, file: `${found.name}_${name}.fmu`, left: left_to_command(found, name) };
}

function* built({ settings, tables, files, module }, { text, signal, fmi, platforms }) {
  const { interface: found, errors } = settings.check(text, FILE);
  if (errors !== undefined) {
    throw new Error(errors.join(" "));
  }
  yield buildFmu({ checked: found, signal, fmi, platforms, files, tables, module });
}

async function begun({ bytes, settings, files }) {
  const module = await WebAssembly.compile(bytes.coupling);
  return { settings: new Settings(settings), tables: settings.tables, files, module };
}

export function start() {
  return new Server(self, { check: checked, build: built }, begun);
}
