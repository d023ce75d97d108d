/* What tables of settings do in Python by pydantic: copies with other values, and objects from plain ones. */

import { PySet } from "../python/containers.js";

/* Fill in the methods of `table`, the class that all of `classes` (by name) come from; `checker` checks keys. */
export function equip(table, classes, checker) {
  const names = new Map(Array.from(classes, ([name, one]) => [one, name]));
  table.prototype.model_copy = function copy(update) {
    return changed(this, this.constructor, update);
  };
  table.grown_from = function grown(one, update) {
    return changed(one, this, update);
  };
  table.model_validate = function validated(given) {
    const { value, errors } = checker.validate(names.get(this), given);
    if (value === null) {
      throw new Error(`${names.get(this)}: ${errors.map((error) => error.get("loc").join(".")).join(", ")}`);
    }
    return value;
  };
}

/* Return the values of a table as one of a `kind`, those of `update` in their place, which count as given. */
function changed(one, kind, update) {
  const copy = Object.assign(Object.create(kind.prototype), one, Object.fromEntries(update));
  copy.model_fields_set = new PySet([...one.model_fields_set, ...update.keys()]);
  return copy;
}
