// What was given of a table of settings, in the place of couplant.pack.archive.dumped, which asks pydantic.

import { CLASSES } from "../python/settings_tables.js";
import { Dict } from "../python/containers.js";
import { Real } from "../python/couplant.config.frame.written_toml.js";
import { py } from "../python/run.js";

const NAMES = new Map(Array.from(CLASSES, ([name, one]) => [one, name]));
const PASSED = ["nullable", "allowed", "before", "after"];
let tables = {};

// Settings are written by these tables: what `workbench.build.settings` says of keys.
export function writeBy(known) {
  tables = known;
}

export function dump(table) {
  const found = new Dict();
  for (const [name, field] of Object.entries(tables[NAMES.get(table.constructor)])) {
    if (table.model_fields_set.has(name) && table[name] !== null) {
      found.set(field.written, written(field.check, table[name]));
    }
  }
  return found;
}

// a value as a file has it, by the kind of its key
function written(node, value) {
  if (PASSED.includes(node.kind)) {
    return value === null ? null : written(node.of, value);
  }
  switch (node.kind) {
    case "float":
      return new Real(value);
    case "table":
      return dump(value);
    case "dict":
      return new Dict(Array.from(value, ([key, one]) => [key, written(node.values, one)]));
    case "tuple":
      return value.map((one, i) => written(node.items[node.varies ? 0 : i], one));
    case "plain":
      return py.text(value);
    default:
      return value;
  }
}
