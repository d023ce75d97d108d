// Methods of bytes, integers as bytes and back, records as struct packs them.

import { OverflowError, UnicodeDecodeError, ValueError } from "./errors.js";
import { findBytes, fail, isBytes, iter } from "./values.js";
import { list } from "./sequences.js";

// bytes of a text whose characters are below 256.
export function literal(text) {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

function begins(self, part, from = 0) {
  return findBytes(self.slice(from, from + part.length), part, 0) === 0;
}

function ends(self, part) {
  return part.length <= self.length && begins(self, part, self.length - part.length);
}

const anyOf = (parts, holds) => (Array.isArray(parts) && !isBytes(parts) ? parts.some(holds) : holds(parts));

function decode(self, encoding = "utf-8") {
  const name = encoding.toLowerCase();
  if (name === "latin-1" || name === "latin1") return Array.from(self, (one) => String.fromCharCode(one)).join("");
  if (name !== "utf-8" && name !== "utf8" && name !== "ascii") fail(`encoding ${encoding}`);
  try {
    const found = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(self));
    if (name !== "ascii" || /^[\0-\x7f]*$/.test(found)) return found;
  } catch {
    // said below
  }
  throw new UnicodeDecodeError(`these bytes are not ${encoding}`);
}

function joined(between, parts) {
  const all = [...iter(parts)].flatMap((part, n) => (n && between.length ? [between, part] : [part]));
  const found = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let n = 0;
  for (const part of all) {
    found.set(part, n);
    n += part.length;
  }
  return found;
}

// Methods of bytes and, with those of lists, of bytearray.
export const bytes = {
  ...list,
  decode,
  startswith: (self, parts) => anyOf(parts, (part) => begins(self, part)),
  endswith: (self, parts) => anyOf(parts, (part) => ends(self, part)),
  find: (self, part, from = 0) => findBytes(self, typeof part === "number" ? [part] : part, from),
  count: (self, part) => {
    const sought = typeof part === "number" ? [part] : part;
    let found = 0;
    for (let n = findBytes(self, sought, 0); n >= 0; n = findBytes(self, sought, n + sought.length)) found++;
    return found;
  },
  hex: (self) => Array.from(self, (one) => one.toString(16).padStart(2, "0")).join(""),
  join: joined,
  isascii: (self) => self.every((one) => one < 128),
};

export function fromhex(text) {
  const bare = text.replace(/\s+/g, "");
  if (!/^([0-9a-f]{2})*$/i.test(bare)) throw new ValueError("non-hexadecimal number found in fromhex()");
  return Uint8Array.from(bare.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

// An integer as so many bytes.
export function integerBytes(value, size = 1, order = "big", signed = false) {
  const whole = BigInt(value) < 0n && signed ? BigInt(value) + (1n << BigInt(8 * size)) : BigInt(value);
  const most = 1n << BigInt(8 * size);
  const above = whole < 0n || whole >= most || (signed && value >= 0 && whole >= most / 2n);
  if (above) throw new OverflowError("int too big to convert");
  const found = Uint8Array.from({ length: size }, (_, n) => Number((whole >> BigInt(8 * n)) & 255n));
  return order === "little" ? found : found.reverse();
}

export function fromBytes(value, order = "big") {
  const items = order === "little" ? Array.from(value).reverse() : Array.from(value);
  const found = items.reduce((sum, one) => sum * 256 + one, 0);
  return Number.isSafeInteger(found) ? found : fail("an integer above 2**53 is no number of JavaScript");
}

const SIZES = { b: 1, B: 1, h: 2, H: 2, i: 4, I: 4, l: 4, L: 4, q: 8, Q: 8 };

function record(kind, value) {
  if (kind === "d" || kind === "f") {
    const view = new DataView(new ArrayBuffer(kind === "d" ? 8 : 4));
    if (kind === "d") view.setFloat64(0, value, true);
    else view.setFloat32(0, value, true);
    return new Uint8Array(view.buffer);
  }
  return integerBytes(value, SIZES[kind] ?? fail(`struct has no ${kind} here`), "little", kind !== kind.toUpperCase());
}

// struct.pack with a format of little-endian numbers, `<3I2H`.
export function pack(format, ...values) {
  if (format[0] !== "<") fail("only little-endian records: a format that begins with <");
  const parts = [...format.slice(1).matchAll(/(\d*)([a-zA-Z])/g)];
  const kinds = parts.flatMap(([, n, kind]) => Array(Number(n || 1)).fill(kind));
  if (kinds.length !== values.length) throw new ValueError(`${kinds.length} values are packed, got ${values.length}`);
  return joined([], kinds.map((kind, n) => record(kind, values[n])));
}

