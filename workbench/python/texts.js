// Texts: methods of str by code points and with Python's blanks, what str() and repr() say, numbers in texts.

import { ByteArray, fail, isBytes, isWide, iter, len } from "./values.js";
import { KeyError, UnicodeEncodeError, ValueError } from "./errors.js";
import { Dict, PySet } from "./containers.js";

export const BLANKS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const AT_START = new RegExp(`^[${BLANKS}]+`);
const AT_END = new RegExp(`(?<![${BLANKS}])[${BLANKS}]+$`);
const BLANK = new RegExp(`[${BLANKS}]+`);
const LINES = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/g;
const DIGIT = /^\p{Nd}$/u;

// The text as something that has one item for each character.
const letters = (text) => (isWide(text) ? [...text] : text);
const joined = (items) => (typeof items === "string" ? items : items.join(""));

function at(text, index) {
  const items = letters(text);
  return items[index < 0 ? index + items.length : index];
}

// Where a part begins, counted in characters.
function place(text, units) {
  return units < 0 || !isWide(text) ? units : len(text.slice(0, units));
}

function stripped(text, first, last) {
  let [begin, end] = [0, text.length];
  while (begin < end && first(text, begin)) begin++;
  while (end > begin && last(text, end - 1)) end--;
  return text.slice(begin, end);
}

function strip(text, characters = null, before = true, after = true) {
  if (characters === null) {
    const begun = before ? text.replace(AT_START, "") : text;
    return after && begun !== "" ? begun.replace(AT_END, "") : begun;
  }
  const there = (items, n) => characters.includes(items[n]);
  const never = () => false;
  const items = isWide(text) || isWide(characters) ? [...text] : text;
  return joined(stripped(items, before ? there : never, after ? there : never));
}

function split(text, separator = null, most = -1) {
  if (separator === "") throw new ValueError("empty separator");
  let rest = separator === null ? strip(text, null, true, false) : text;
  if (most < 0 && separator !== null) return rest.split(separator);
  if (separator === null && rest === "") return [];
  const found = [];
  while (most < 0 || found.length < most) {
    const size = separator === null ? (rest.match(BLANK) ?? [""])[0].length : separator.length;
    const n = separator === null ? rest.search(BLANK) : rest.indexOf(separator);
    if (n < 0) break;
    found.push(rest.slice(0, n));
    rest = rest.slice(n + size);
    if (separator === null && rest === "") return found;
  }
  return [...found, rest];
}

function rsplit(text, separator = null, most = -1) {
  const turned = (value) => [...value].reverse().join("");
  const other = separator === null ? null : turned(separator);
  return split(turned(text), other, most).map(turned).reverse();
}

function partition(text, separator, n = text.indexOf(separator)) {
  if (separator === "") throw new ValueError("empty separator");
  return Object.freeze(n < 0 ? [text, "", ""] : [text.slice(0, n), separator, text.slice(n + separator.length)]);
}

function rpartition(text, separator) {
  const n = text.lastIndexOf(separator);
  return n < 0 ? Object.freeze(["", "", text]) : partition(text, separator, n);
}

function splitlines(text, keep = false) {
  const found = [];
  let begin = 0;
  for (const end of text.matchAll(LINES)) {
    found.push(text.slice(begin, keep ? end.index + end[0].length : end.index));
    begin = end.index + end[0].length;
  }
  return begin < text.length ? [...found, text.slice(begin)] : found;
}

function replace(text, old, other, most = -1) {
  if (most < 0) return text.replaceAll(old, () => other);
  let [found, rest] = ["", text];
  for (let n = 0; n < most && rest.includes(old); n++) {
    const i = rest.indexOf(old);
    [found, rest] = [found + rest.slice(0, i) + other, rest.slice(i + old.length)];
  }
  return found + rest;
}

function padded(text, width, fill, share) {
  const gap = Math.max(width - len(text), 0);
  const before = share === 0.5 ? Math.floor(gap / 2) + (gap & width & 1) : gap * share;
  return fill.repeat(before) + text + fill.repeat(gap - before);
}

function zfill(text, width) {
  const sign = /^[-+]/.test(text) ? text[0] : "";
  return sign + padded(text.slice(sign.length), width - sign.length, "0", 1);
}

function count(text, part, from = 0, to = undefined) {
  const inside = from === 0 && to === undefined ? text : joined(letters(text).slice(from, to ?? undefined));
  if (part === "") return len(inside) + 1;
  let found = 0;
  for (let n = inside.indexOf(part); n >= 0; n = inside.indexOf(part, n + part.length)) found++;
  return found;
}

function find(text, part, from = 0) {
  if (isWide(text)) {
    const head = [...text].slice(0, from).join("").length;
    return place(text, text.indexOf(part, head));
  }
  const begin = from < 0 ? Math.max(from + text.length, 0) : from;
  return begin > text.length ? -1 : text.indexOf(part, begin);
}

function index(text, part, from = 0) {
  const found = find(text, part, from);
  if (found < 0) throw new ValueError("substring not found");
  return found;
}

const any = (parts, holds) => (Array.isArray(parts) ? parts.some(holds) : holds(parts));

function translate(text, table) {
  const changed = (letter) => {
    const found = table.get(letter.codePointAt(0));
    if (found === undefined) return letter;
    return found === null ? "" : typeof found === "number" ? String.fromCodePoint(found) : found;
  };
  return [...text].map(changed).join("");
}

function maketrans(one, other = undefined, gone = "") {
  const code = (key) => (typeof key === "string" ? key.codePointAt(0) : key);
  if (other === undefined) return new Dict([...one].map(([key, value]) => [code(key), value]));
  const to = [...other];
  const pairs = [...one].map((letter, n) => [code(letter), code(to[n])]);
  return new Dict([...pairs, ...[...gone].map((letter) => [code(letter), null])]);
}

const ENCODINGS = { ascii: 0x7f, "us-ascii": 0x7f, "latin-1": 0xff, latin1: 0xff, "iso-8859-1": 0xff };

function encode(text, encoding = "utf-8") {
  if (/^utf-?8$/i.test(encoding)) return new TextEncoder().encode(text);
  const most = ENCODINGS[encoding.toLowerCase()] ?? fail(`encoding ${encoding}`);
  return Uint8Array.from([...text], (letter) => {
    if (letter.codePointAt(0) > most) throw new UnicodeEncodeError(`${encoding} has no ${letter}`);
    return letter.codePointAt(0);
  });
}

const all = (pattern) => (text) => pattern.test(text);

// Methods of texts.
export const str = {
  at,
  strip: (text, characters) => strip(text, characters),
  lstrip: (text, characters) => strip(text, characters, true, false),
  rstrip: (text, characters) => strip(text, characters, false, true),
  split,
  rsplit,
  splitlines,
  partition: (text, separator) => partition(text, separator),
  rpartition,
  removeprefix: (text, part) => (text.startsWith(part) ? text.slice(part.length) : text),
  removesuffix: (text, part) => (part !== "" && text.endsWith(part) ? text.slice(0, -part.length) : text),
  startswith: (text, parts, from = 0) => any(parts, (part) => (from ? text.slice(from) : text).startsWith(part)),
  endswith: (text, parts) => any(parts, (part) => text.endsWith(part)),
  replace,
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  casefold: (text) => (/^[\0-\x7f]*$/.test(text) ? text.toLowerCase() : fail("casefold of letters beyond ASCII")),
  capitalize: (text) => (text === "" ? "" : at(text, 0).toUpperCase() + joined(letters(text).slice(1)).toLowerCase()),
  join: (between, items) => [...iter(items)].join(between),
  count,
  find,
  index,
  rfind: (text, part) => place(text, text.lastIndexOf(part)),
  isdigit: all(/^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+$/u),
  isdecimal: all(/^\p{Nd}+$/u),
  isascii: all(/^[\0-\x7f]*$/),
  isalpha: all(/^\p{L}+$/u),
  isalnum: all(/^[\p{L}\p{N}]+$/u),
  isspace: all(new RegExp(`^[${BLANKS}]+$`)),
  isidentifier: all(/^[\p{XIDS}_][\p{XIDC}]*$/u),
  isupper: (text) => text === text.toUpperCase() && text !== text.toLowerCase(),
  islower: (text) => text === text.toLowerCase() && text !== text.toUpperCase(),
  ljust: (text, width, fill = " ") => padded(text, width, fill, 0),
  rjust: (text, width, fill = " ") => padded(text, width, fill, 1),
  center: (text, width, fill = " ") => padded(text, width, fill, 0.5),
  zfill,
  encode,
  translate,
  maketrans,
};

// What str() says; of floats `real` or a format tells it.
export function text(value) {
  if (typeof value === "string") return value;
  if (value instanceof KeyError && value.args.length === 1) return repr(value.args[0]);
  if (value instanceof Error) return value.message;
  return value?.__str__ === undefined ? repr(value) : value.__str__();
}

const ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };

function escaped(letter) {
  if (letter in ESCAPES) return ESCAPES[letter];
  const code = letter.codePointAt(0);
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, "0")}`;
  return code > 0xff ? `\\u${code.toString(16).padStart(4, "0")}` : `\\x${code.toString(16).padStart(2, "0")}`;
}

function quoted(value) {
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
  const inner = value.replace(/[\\\p{C}\p{Z}]/gu, (letter) => (letter === " " ? letter : escaped(letter)));
  return mark + (mark === "'" ? inner.replaceAll("'", "\\'") : inner) + mark;
}

function ofBytes(bytes) {
  const mark = bytes.includes(39) && !bytes.includes(34) ? '"' : "'";
  const letter = (code) => {
    const one = String.fromCharCode(code);
    if (one === mark) return `\\${one}`;
    return code >= 32 && code < 127 && one !== "\\" ? one : escaped(one);
  };
  return `b${mark}${Array.from(bytes, letter).join("")}${mark}`;
}

// What repr() says of texts, integers and what holds them.
export function repr(value) {
  if (value === null) return "None";
  if (typeof value === "string") return quoted(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? String(value + 0) : fail("a float needs a format, or couplant.base.written.real");
  }
  if (value instanceof ByteArray) return `bytearray(${ofBytes(value)})`;
  if (isBytes(value)) return ofBytes(value);
  if (Array.isArray(value)) {
    const inner = Array.from(value, repr).join(", ");
    if (!Object.isFrozen(value)) return `[${inner}]`;
    return value.length === 1 ? `(${inner},)` : `(${inner})`;
  }
  if (value instanceof Dict) return `{${[...value].map(([key, one]) => `${repr(key)}: ${repr(one)}`).join(", ")}}`;
  if (value instanceof PySet) return value.size ? `{${[...value].map(repr).join(", ")}}` : "set()";
  if (value instanceof Error) return `${value.constructor.name}(${value.args.map(repr).join(", ")})`;
  return fail("no text for this object");
}

const SPACES = BLANKS.replace("\\x1c-\\x20", " "); // what int() and float() take around a number
const AROUND = new RegExp(`^[${SPACES}]+|[${SPACES}]+$`, "g");

// Digits of any script as those of ASCII: in each script ten of them follow each other.
function plainDigits(value) {
  if (/^[\0-\x7f]*$/.test(value)) return value;
  return value.replace(/[^\0-\x7f]/gu, (letter) => {
    if (!DIGIT.test(letter)) return letter;
    let n = 0;
    while (DIGIT.test(String.fromCodePoint(letter.codePointAt(0) - n - 1))) n++;
    return String(n % 10);
  });
}

const USUAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const SOME = "\\d+(?:_\\d+)*";
const DECIMAL = `(?:${SOME}\\.?(?:${SOME})?|\\.${SOME})(?:e[+-]?${SOME})?`;
const FLOAT = new RegExp(`^[+-]?(?:${DECIMAL}|(inf(?:inity)?)|(nan))$`, "i");

// float() of a text, or undefined.
export function floatIn(value) {
  if (USUAL.test(value)) return Number(value);
  const bare = plainDigits(value.replace(AROUND, ""));
  const found = FLOAT.exec(bare);
  if (found === null) return undefined;
  if (found[1] !== undefined) return bare[0] === "-" ? -Infinity : Infinity;
  if (found[2] !== undefined) return NaN;
  return Number(bare.replaceAll("_", ""));
}

export function float(value) {
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  if (typeof value !== "string") return fail("float() needs a text or a number");
  const found = floatIn(value);
  if (found === undefined) throw new ValueError(`could not convert string to float: ${repr(value)}`);
  return found;
}

const PLAIN = /^\d{1,15}$/;
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

export function int(value, base = 10) {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new ValueError("cannot convert float to integer");
    return Math.trunc(value) + 0;
  }
  if (base === 10 && PLAIN.test(value)) return Number(value);
  const bare = plainDigits(value.replace(AROUND, "")).toLowerCase();
  const digits = DIGITS.slice(0, base);
  const prefix = { 2: "(?:0b_?)?", 8: "(?:0o_?)?", 16: "(?:0x_?)?" }[base] ?? "";
  const found = new RegExp(`^([+-]?)${prefix}([${digits}]+(?:_[${digits}]+)*)$`).exec(bare);
  if (found === null) throw new ValueError(`invalid literal for int() with base ${base}: ${repr(value)}`);
  const size = [...found[2].replaceAll("_", "")].reduce((sum, digit) => sum * base + DIGITS.indexOf(digit), 0);
  if (!Number.isSafeInteger(size)) fail("an integer above 2**53 is no number of JavaScript");
  return found[1] === "-" ? 0 - size : size;
}
