// Lists, tuples, bytes and texts as sequences: places from the end, slices, what changes lists.

import { Dict, PySet, dict, set } from "./containers.js";
import { IndexError, ValueError } from "./errors.js";
import { ByteArray, eq, fail, frozen, isBytes, isTuple, isWide, iter, less } from "./values.js";
import { str } from "./texts.js";
import { and, or, xor } from "./arithmetic.js";

function outside(items, index) {
  const n = index < 0 ? index + items.length : index;
  if (n >= 0 && n < items.length) return items[n];
  throw new IndexError("index out of range");
}

// An item of a list, a tuple or bytes.
export function item(items, index) {
  const found = items[index < 0 ? index + items.length : index];
  return found === undefined ? outside(items, index) : found;
}

// An item of anything.
export function at(value, key) {
  if (Array.isArray(value) || value instanceof Uint8Array) return item(value, Number(key));
  if (value instanceof Map) return dict.at(value, key);
  if (typeof value === "string") return letter(value, key);
  return value.__getitem__(key);
}

// A character of a text.
export function letter(text, index) {
  const found = str.at(text, index);
  if (found === undefined) throw new IndexError("string index out of range");
  return found;
}

function place(items, index) {
  const n = index < 0 ? index + items.length : index;
  if (n < 0 || n >= items.length) throw new IndexError("assignment index out of range");
  return n;
}

// Set an item of a list or a bytearray.
export function put(items, index, value) {
  if (items instanceof Map) return items.set(index, value);
  if (items instanceof ByteArray) byte(value);
  if (index >= 0 && index < items.length) return (items[index] = value);
  return (items[place(items, index)] = value);
}

// The same of what surely is a list.
export function putItem(items, index, value) {
  if (index >= 0 && index < items.length) items[index] = value;
  else items[place(items, index)] = value;
}

export function byte(value) {
  if (!Number.isInteger(value) || value < 0 || value > 255) throw new ValueError("byte must be in range(0, 256)");
  return value;
}

export function drop(items, index) {
  if (items instanceof Map) return dict.remove(items, index);
  return void items.splice(place(items, index), 1);
}

// Where a slice begins and ends.
function bounds(size, from, to, step) {
  const clamped = (n) => (n < 0 ? Math.max(n + size, step < 0 ? -1 : 0) : Math.min(n, step < 0 ? size - 1 : size));
  const first = from === null ? (step < 0 ? size - 1 : 0) : clamped(from);
  const last = to === null ? (step < 0 ? -1 : size) : clamped(to);
  return [first, last];
}

function picked(items, from, to, step) {
  if (step === 0) throw new ValueError("slice step cannot be zero");
  const [first, last] = bounds(items.length, from, to, step);
  const found = [];
  for (let i = first; step < 0 ? i > last : i < last; i += step) found.push(items[i]);
  return found;
}

// A slice; what is left out is null.
export function slice(value, from = null, to = null, step = null) {
  if (typeof value === "string") {
    if (isWide(value)) return picked([...value], from, to, step ?? 1).join("");
    if (step === null || step === 1) return value.slice(from ?? 0, to ?? undefined);
    return picked(value, from, to, step).join("");
  }
  if (value instanceof Uint8Array) {
    return step === null ? value.slice(from ?? 0, to ?? undefined) : Uint8Array.from(picked(value, from, to, step));
  }
  const found = step === null ? value.slice(from ?? 0, to ?? undefined) : picked(value, from, to, step);
  if (value instanceof ByteArray) return ByteArray.from(found);
  return isTuple(value) ? frozen(found) : found;
}

// Put items where a slice of a list was.
export function putSlice(items, from, to, others) {
  const [first, last] = bounds(items.length, from, to, 1);
  items.splice(first, Math.max(last - first, 0), ...iter(others));
}

function joined(one, other) {
  if (one instanceof Uint8Array) return bytesOf([...one, ...other]);
  const found = [...one, ...other];
  if (one instanceof ByteArray) return ByteArray.from(found);
  if (isTuple(one) !== isTuple(other)) fail("a list and a tuple are not added");
  return isTuple(one) ? frozen(found) : found;
}

// Whole numbers as bytes.
export function bytesOf(values) {
  return Uint8Array.from(values, byte);
}

export function add(one, other) {
  return Array.isArray(one) || isBytes(one) ? joined(one, other) : sameKind(one, other) ? one + other : wrong("+");
}

const sameKind = (one, other) =>
  (typeof one === "string") === (typeof other === "string") && one !== null && other !== null;
const wrong = (sign) => fail(`unsupported operand types for ${sign}`);

export function mul(one, other) {
  const [items, times] = typeof one === "number" || typeof one === "boolean" ? [other, one] : [one, other];
  if (typeof items === "number" || typeof items === "boolean") return items * times;
  if (typeof items === "string") return items.repeat(Math.max(times, 0));
  const found = new Array(items.length * Math.max(times, 0));
  for (let n = 0; n < found.length; n++) found[n] = items[n % items.length];
  if (items instanceof ByteArray) return ByteArray.from(found);
  if (items instanceof Uint8Array) return Uint8Array.from(found);
  return isTuple(items) ? frozen(found) : found;
}

// one += other: a list, a bytearray, a dictionary and a set grow themselves.
export function iadd(one, other) {
  if (!Array.isArray(one) || isTuple(one)) return add(one, other);
  return extended(one, other);
}

function extended(items, others) {
  const more = items instanceof ByteArray ? Array.from(others, byte) : others === items ? [...others] : iter(others);
  for (const value of more) items.push(value);
  return items;
}

export function sub(one, other) {
  return one instanceof PySet ? set.difference(one, other) : one - other;
}

const bool = (value) => typeof value === "boolean";

export function bitOr(one, other) {
  if (one instanceof Dict) return dict.merged(one, other);
  if (one instanceof PySet) return set.union(one, other);
  return bool(one) && bool(other) ? one || other : or(Number(one), Number(other));
}

export function bitAnd(one, other) {
  if (one instanceof PySet) return set.intersection(one, other);
  return bool(one) && bool(other) ? one && other : and(Number(one), Number(other));
}

export function bitXor(one, other) {
  if (one instanceof PySet) return set.symmetric_difference(one, other);
  return bool(one) && bool(other) ? one !== other : xor(Number(one), Number(other));
}

// one |= other
export function ior(one, other) {
  if (one instanceof Dict) return dict.grown(one, other);
  if (!(one instanceof PySet)) return bitOr(one, other);
  set.update(one, other);
  return one;
}

// Values in order, as a new list; those that are equal stay as they were.
export function sorted(values, key = null, reverse = false) {
  const keyed = Array.from(iter(values), (value) => [key === null ? value : key(value), value]);
  if (keyed.every((pair) => typeof pair[0] === "number" && pair[0] === pair[0])) {
    return keyed.sort(reverse ? (a, b) => b[0] - a[0] : (a, b) => a[0] - b[0]).map((pair) => pair[1]);
  }
  const order = (a, b) => (less(a[0], b[0]) ? -1 : less(b[0], a[0]) ? 1 : 0);
  return keyed.sort(reverse ? (a, b) => order(b, a) : order).map((pair) => pair[1]);
}

function found(items, value, from = 0) {
  for (let n = from; n < items.length; n++) if (eq(items[n], value)) return n;
  throw new ValueError("value is not in list");
}

function popped(items, index = -1) {
  if (items.length === 0) throw new IndexError("pop from empty list");
  return index === -1 ? items.pop() : items.splice(place(items, index), 1)[0];
}

// Methods of lists and tuples.
export const list = {
  append: (self, value) => void self.push(self instanceof ByteArray ? byte(value) : value),
  extend: (self, others) => void extended(self, others),
  insert: (self, index, value) => void self.splice(index < 0 ? Math.max(index + self.length, 0) : index, 0, value),
  pop: popped,
  remove: (self, value) => void self.splice(found(self, value), 1),
  index: found,
  count: (self, value) => self.reduce((sum, one) => sum + Number(eq(one, value)), 0),
  sort: (self, key = null, reverse = false) => {
    sorted(self, key, reverse).forEach((value, n) => (self[n] = value));
  },
  reverse: (self) => void self.reverse(),
  copy: (self) => [...self],
  clear: (self) => void (self.length = 0),
};

// Take a value apart into so many; nested ones are counted in a list, with a star `before*after`.
export function unpack(value, shape) {
  if (typeof shape === "string") return starred(value, ...shape.split("*").map(Number));
  const items = Array.isArray(value) ? value : [...iter(value)];
  const count = typeof shape === "number" ? shape : shape.length;
  if (items.length !== count) throw new ValueError(`expected ${count} values to unpack, got ${items.length}`);
  return typeof shape === "number" ? items : items.map((one, n) => (shape[n] === 0 ? one : unpack(one, shape[n])));
}

// Take a value apart where one name, behind `before` others and before `after`, gets a list of all that is left.
export function starred(value, before, after) {
  const items = [...iter(value)];
  if (items.length < before + after) throw new ValueError(`expected at least ${before + after} values to unpack`);
  const last = items.length - after;
  return [...items.slice(0, before), items.slice(before, last), ...items.slice(last)];
}

export function toBytes(value = 0) {
  return typeof value === "number" ? new Uint8Array(value) : bytesOf(iter(value));
}

export function toByteArray(value = 0) {
  return typeof value === "number" ? ByteArray.from(new Uint8Array(value)) : ByteArray.from(iter(value), byte);
}

