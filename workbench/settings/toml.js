/* The content of a TOML file, read by the library smol-toml, with the limits that the command sets. */

import { TomlError, parse } from "./smol_toml.js";
import { rawValue } from "./raw.js";

const MOST_BRACKETS = 100;
const MOST_DIGITS = 4300; // of a decimal whole number in Python

export class NotToml extends Error {}

/* Return the content of a TOML document; what is none is refused by a NotToml that says what is wrong in which line. */
export function readToml(text) {
  const document = parsed(text.replace(/(?<!\r)\r\n/g, "\n"));
  refuseLarge(document);
  return rawValue(document);
}

function parsed(text) {
  try {
    return parse(text, { integersAsBigInt: true, maxDepth: MOST_BRACKETS });
  } catch (error) {
    if (!(error instanceof TomlError)) {
      throw error;
    }
    const [, reason] = /: ([^.\n]+)/.exec(error.message); // an excerpt of the document follows
    throw new NotToml(`${reason} (at line ${error.line}, column ${error.column})`);
  }
}

/* Keys with points are tables in tables too, which the library does not count. */
function refuseLarge(document) {
  let level = [document];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_BRACKETS) {
      throw new NotToml(`brackets in more than ${MOST_BRACKETS} others`);
    }
    const values = level.flatMap(Object.values);
    if (values.some((value) => typeof value === "bigint" && String(value).replace("-", "").length > MOST_DIGITS)) {
      throw new NotToml(`a whole number of more than ${MOST_DIGITS} digits`);
    }
    level = values.filter((value) => typeof value === "object" && !(value instanceof Date));
  }
}
