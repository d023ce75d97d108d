/* Keys and values of a TOML document. */

import { fail, skip, skipCommentsAndLines, readLiteral, readLines, readQuoted } from "./toml_texts.js";
import { pythonKey, pythonText, TomlError } from "./toml_texts.js";
import { Flags, NestedTable } from "./toml_tables.js";

const SPACE = " \t";
const BARE = /[A-Za-z0-9_-]+/y;
const CLOCK = "([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])(?:\\.([0-9]{1,6})[0-9]*)?";
const DAY = "([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])";
const TIME = new RegExp(CLOCK, "y");
const DATE = new RegExp(`${DAY}(?:[Tt ]${CLOCK}(?:([Zz])|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))?)?`, "y");
const BASED = "0(?:x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|b[01](?:_?[01])*|o[0-7](?:_?[0-7])*)";
const DIGITS = "[0-9](?:_?[0-9])*";
const NUMBER = new RegExp(`${BASED}|[+-]?(?:0|[1-9](?:_?[0-9])*)((?:\\.${DIGITS})?(?:[eE][+-]?${DIGITS})?)`, "y");
const SPECIAL = /[+-]?(?:inf|nan)/y;
const MOST_DIGITS = 4300; // of a decimal whole number in Python

/* A date, a time, or both, as Python writes it. */
export class Moment {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/* Return the place behind a key, dotted or not, and the spaces after it, and its parts. */
export function readKey(src, start) {
  const parts = [];
  let pos = start;
  for (;;) {
    const [end, part] = readPart(src, pos);
    parts.push(part);
    pos = skip(src, end, SPACE);
    if (src[pos] !== ".") {
      return [pos, parts];
    }
    pos = skip(src, pos + 1, SPACE);
  }
}

function readPart(src, pos) {
  const bare = matched(BARE, src, pos);
  if (bare !== null) {
    return [pos + bare[0].length, bare[0]];
  }
  if (src[pos] === "'" || src[pos] === '"') {
    return src[pos] === "'" ? readLiteral(src, pos) : readQuoted(src, pos);
  }
  return fail(src, pos, "Invalid initial character for a key part");
}

/* Return the place behind key = value, the parts of the key, and the value. */
export function readPair(src, start) {
  const [pos, key] = readKey(src, start);
  if (src[pos] !== "=") {
    fail(src, pos, "Expected '=' after a key in a key/value pair");
  }
  const [end, value] = readValue(src, skip(src, pos + 1, SPACE));
  return [end, key, value];
}

function readValue(src, pos) {
  const char = src[pos];
  if (char === '"' || char === "'") {
    const lines = src.startsWith(char.repeat(3), pos);
    return lines ? readLines(src, pos) : readPart(src, pos);
  }
  for (const [word, value] of [["true", true], ["false", false]]) {
    if (src.startsWith(word, pos)) {
      return [pos + word.length, value];
    }
  }
  if (char === "[" || char === "{") {
    return char === "[" ? readArray(src, pos + 1) : readInline(src, pos + 1);
  }
  return readMoment(src, pos) ?? readNumber(src, pos) ?? fail(src, pos, "Invalid value");
}

function readArray(src, start) {
  const values = [];
  let pos = skipCommentsAndLines(src, start);
  while (src[pos] !== "]") {
    const [end, value] = readValue(src, pos);
    values.push(value);
    pos = skipCommentsAndLines(src, end);
    if (src[pos] === "]") {
      break;
    }
    if (src[pos] !== ",") {
      fail(src, pos, "Unclosed array");
    }
    pos = skipCommentsAndLines(src, pos + 1);
  }
  return [pos + 1, values];
}

function readInline(src, start) {
  const [table, flags] = [new NestedTable(), new Flags()];
  let pos = skip(src, start, SPACE);
  if (src[pos] === "}") {
    return [pos + 1, table.root];
  }
  for (;;) {
    const [end, key, value] = readPair(src, pos);
    addInline(src, end, table, flags, key, value);
    pos = skip(src, end, SPACE);
    if (src[pos] === "}") {
      return [pos + 1, table.root];
    }
    if (src[pos] !== ",") {
      fail(src, pos, "Unclosed inline table");
    }
    if (value instanceof Map || Array.isArray(value)) {
      flags.set(key, "frozen", true);
    }
    pos = skip(src, pos + 1, SPACE);
  }
}

function addInline(src, pos, table, flags, key, value) {
  if (flags.has(key, "frozen")) {
    fail(src, pos, `Cannot mutate immutable namespace ${pythonKey(key)}`);
  }
  const nest = table.nest(key.slice(0, -1), false);
  if (nest === null) {
    fail(src, pos, "Cannot overwrite a value");
  }
  if (nest.has(key.at(-1))) {
    fail(src, pos, `Duplicate inline table key ${pythonText(key.at(-1))}`);
  }
  nest.set(key.at(-1), value);
}

function readMoment(src, pos) {
  const found = matched(DATE, src, pos);
  if (found !== null) {
    const [whole, year, month, day, hour, minute, second, part, utc, sign, hours, minutes] = found;
    if (Number(year) < 1 || Number(day) > daysOf(Number(year), Number(month))) {
      fail(src, pos, "Invalid date or datetime");
    }
    const clock = hour === undefined ? "" : ` ${clockText(hour, minute, second, part)}`;
    const away = `${hours}:${minutes}`;
    const zone = utc !== undefined ? "+00:00" : sign === undefined ? "" : `${away === "00:00" ? "+" : sign}${away}`;
    return [pos + whole.length, new Moment(`${year}-${month}-${day}${clock}${zone}`)];
  }
  const time = matched(TIME, src, pos);
  return time === null ? null : [pos + time[0].length, new Moment(clockText(time[1], time[2], time[3], time[4]))];
}

function clockText(hour, minute, second, part) {
  const micro = (part ?? "").padEnd(6, "0");
  return `${hour}:${minute}:${second}${micro === "000000" ? "" : `.${micro}`}`;
}

function daysOf(year, month) {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function readNumber(src, pos) {
  const special = matched(SPECIAL, src, pos);
  if (special !== null) {
    const size = special[0].startsWith("-") ? -Infinity : Infinity;
    return [pos + special[0].length, special[0].endsWith("nan") ? NaN : size];
  }
  const found = matched(NUMBER, src, pos);
  if (found === null) {
    return null;
  }
  const text = found[0].replaceAll("_", "");
  if (found[1]) {
    return [pos + found[0].length, Number(text)];
  }
  if (!/^0[xbo]/.test(text) && text.replace(/^[+-]/, "").length > MOST_DIGITS) {
    throw new TomlError(`a whole number of more than ${MOST_DIGITS} digits`);
  }
  return [pos + found[0].length, BigInt(text)];
}

function matched(pattern, src, pos) {
  pattern.lastIndex = pos;
  return pattern.exec(src);
}
