// The reference result of a coupling FMU by the kernel of the page: the same bits as the runtime of Python.

import { SettingsFile } from "../python/couplant.pack.archive.identity.js";
import { Fmu } from "../engine/fmu.js";

const DISCARD = 2; // status of a step in which the run ends itself
const NOBODY = "0".repeat(16);

// a function that runs settings in a compiled module of the coupling, as couplant.pack.reference.Run says
export function referenceRun(module) {
  return (settings, rows) => {
    const fmu = new Fmu(module).open(new SettingsFile("reference", NOBODY, settings.lists()).text());
    try {
      return outputs(fmu, settings, rows);
    } finally {
      fmu.free();
    }
  };
}

function outputs(fmu, settings, rows) {
  const known = settings.variables();
  const told = known.filter((one) => one.causality === "output").map((one) => one.name);
  const names = known.map((one) => one.name).filter((name) => rows[0].inputs.has(name));
  const [set, get] = [fmu.group(names), fmu.group(told)];
  const places = names.map((_, i) => i);
  const results = [];
  const read = () => {
    const values = new Array(told.length);
    get.read(values, told.map((_, i) => i));
    results.push(values);
  };
  fmu.enter(0);
  fmu.begin();
  for (const row of rows) {
    set.write(names.map((name) => row.inputs.get(name)), places);
    if (settings.event) {
      read();
    }
    const status = fmu.exports.couplant_step(fmu.self, row.time, row.step_size);
    if (status === DISCARD) {
      break;
    }
    fmu.check(status, `refused the step at t = ${row.time} s`);
    if (!settings.event) {
      read();
    }
  }
  return results;
}
