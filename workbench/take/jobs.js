// What the worker answers to the view "Download FMU": settings checked while they are typed, FMUs of signals.

import { left_to_command } from "../python/workbench.build.taken.js";
import { buildFmu } from "./build.js";

const FILE = "interface.toml";

// what `couplant build` would say of the text, and the signals whose FMUs it would make
export function* checked({ settings }, { text }) {
  const { interface: found, errors = [], warnings = [] } = settings.check(text, FILE);
  const signals = errors.length > 0 ? [] : Array.from(found.signals, ([name]) => signalOf(found, name));
  yield { errors, warnings, signals };
}

function signalOf(found, name) {
  return { name, file: `${found.name}_${name}.fmu`, left: left_to_command(found, name) };
}

export async function* built({ settings, tables, files, modules }, { text, signal, fmi, platforms }) {
  const { interface: found, errors } = settings.check(text, FILE);
  if (errors !== undefined) {
    throw new Error(errors.join(" "));
  }
  yield await buildFmu({ checked: found, signal, fmi, platforms, files, tables, module: modules.coupling });
}
