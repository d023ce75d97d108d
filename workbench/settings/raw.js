/* Values of a file as the translated modules take them, before anything is known of their type. */

import { Dict } from "../python/containers.js";
import { real } from "../python/real.js";

/* A number as it stands in a file: whole, or a real one, which the value of a JavaScript number would not tell. */
export class Written {
  constructor(value) {
    this.value = value; // BigInt of a whole number, Number of a real one
  }

  get isWhole() {
    return typeof this.value === "bigint";
  }

  /* Return what Python says of it. */
  __str__() {
    if (this.isWhole || Number.isFinite(this.value)) {
      return this.isWhole ? String(this.value) : real(this.value);
    }
    return Number.isNaN(this.value) ? "nan" : this.value < 0 ? "-inf" : "inf";
  }
}

/* A date, a time, or both. */
class Dated {
  constructor(date) {
    this.date = date; // a TomlDate, which counts milliseconds
  }

  /* Return what Python says of it. */
  __str__() {
    const parts = (found, digits) => (digits === "000" ? "" : `.${digits}000`);
    return this.date.toISOString().replace("T", " ").replace("Z", "+00:00").replace(/\.(\d{3})/, parts);
  }
}

/* Return a value that smol-toml read in this form. */
export function rawValue(value) {
  if (Array.isArray(value)) {
    return value.map(rawValue);
  }
  if (typeof value === "bigint" || typeof value === "number") {
    return new Written(value);
  }
  if (value instanceof Date) {
    return new Dated(value);
  }
  const isTable = typeof value === "object";
  return isTable ? new Dict(Object.entries(value).map(([key, inner]) => [key, rawValue(inner)])) : value;
}
