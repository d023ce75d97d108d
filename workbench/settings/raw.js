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

/* A date or a time. */
export class Dated {
  constructor(text) {
    this.text = text;
  }

  __str__() {
    return this.text;
  }
}

/* Return what `parseToml` gives in this form. */
export function rawValue(value) {
  if (value instanceof Map) {
    return new Dict(Array.from(value, ([key, inner]) => [key, rawValue(inner)]));
  }
  if (Array.isArray(value)) {
    return value.map(rawValue);
  }
  if (typeof value === "bigint" || typeof value === "number") {
    return new Written(value);
  }
  return typeof value === "object" ? new Dated(String(value)) : value;
}
