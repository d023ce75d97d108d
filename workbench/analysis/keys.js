/* The table `algorithm` of what is made of a recording, key by key. */

import { real } from "../python/real.js";

const list = (values) => `[${values.map(real).join(", ")}]`;
const WRITTEN = { a: list, A: list, frequency: real, follow: (word) => `"${word}"` };

/* Lines of a table of settings. */
export function linesOf(keys) {
  return Object.entries(keys).map(([key, value]) => `${key} = ${(WRITTEN[key] ?? String)(value)}`);
}
