// What was given of a table of settings, and hashes, in the place of couplant.pack.archive.libraries, which asks pydantic
// and hashlib; crypto.subtle is not there on plain http.

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

const PRIMES = 64;
const BITS = 2 ** 32;

function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((prime) => n % prime !== 0)) {
      found.push(n);
    }
  }
  return found;
}

// the first 32 bits behind the point of a root of a small number, exactly: the roots of FIPS 180-4
function fraction(n, power) {
  const scaled = BigInt(n) << BigInt(32 * power);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(power) <= scaled) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return Number(low % BigInt(BITS));
}

const ROUNDS = Int32Array.from(primes(PRIMES), (prime) => fraction(prime, 3));
const FIRST = Int32Array.from(primes(8), (prime) => fraction(prime, 2));

const turned = (x, n) => (x >>> n) | (x << (32 - n));

// the message with its end and its length in bits, a multiple of 64 bytes
function padded(bytes) {
  const found = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64);
  found.set(bytes);
  found[bytes.length] = 0x80;
  const view = new DataView(found.buffer);
  view.setUint32(found.length - 8, Math.floor((bytes.length * 8) / BITS));
  view.setUint32(found.length - 4, (bytes.length * 8) % BITS);
  return view;
}

function schedule(view, at, w) {
  for (let i = 0; i < 16; i++) {
    w[i] = view.getInt32(at + 4 * i);
  }
  for (let i = 16; i < PRIMES; i++) {
    const before = w[i - 15];
    const last = w[i - 2];
    const s0 = turned(before, 7) ^ turned(before, 18) ^ (before >>> 3);
    const s1 = turned(last, 17) ^ turned(last, 19) ^ (last >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
}

function rounds(state, w) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < PRIMES; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((one, i) => { state[i] += one; });
}

// SHA-256 of a text in UTF-8, in hexadecimal
export function sha256(text) {
  const view = padded(new TextEncoder().encode(text));
  const state = FIRST.slice();
  const w = new Int32Array(PRIMES);
  for (let at = 0; at < view.byteLength; at += 64) {
    schedule(view, at, w);
    rounds(state, w);
  }
  return Array.from(state, (one) => (one >>> 0).toString(16).padStart(8, "0")).join("");
}
