// What holds for values of every type: truth, equality, order, length, iteration.

import { Dict, PySet } from "./containers.js";
import { PyTypeError, issubclass } from "./errors.js";

export function fail(text) {
  throw new PyTypeError(text);
}

let asked = "";
let answered = false;

// Tell whether a text has characters that are two units in JavaScript; the last answer is kept for loops over one text.
export function isWide(text) {
  if (text !== asked) {
    answered = /[\ud800-\udbff]/.test(text);
    asked = text;
  }
  return answered;
}

// A tuple: an array that does not change.
export function tuple(values) {
  return Object.isFrozen(values) && Array.isArray(values) ? values : Object.freeze([...iter(values)]);
}

// Of values that nobody else holds.
export function frozen(values) {
  return Object.freeze(values);
}

export const isTuple = (value) => Array.isArray(value) && Object.isFrozen(value);
export const isBytes = (value) => value instanceof Uint8Array || value instanceof ByteArray;

// bytearray: grows, which a Uint8Array does not.
export class ByteArray extends Array {
  static get [Symbol.species]() {
    return Array;
  }
}

export function len(value) {
  if (typeof value === "string") return isWide(value) ? [...value].length : value.length;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return value.length; // bytes, and doubles of a recording
  if (value instanceof Map || value instanceof Set) return value.size;
  return value?.__len__?.() ?? fail("object has no len()");
}

export function truth(value) {
  switch (typeof value) {
    case "boolean":
      return value;
    case "number":
      return value !== 0;
    case "string":
      return value !== "";
    case "object":
      if (value === null) return false;
      if (Array.isArray(value) || value instanceof Uint8Array) return value.length > 0;
      if (value instanceof Map || value instanceof Set) return value.size > 0;
      if (value.__bool__ !== undefined) return value.__bool__();
      return value.__len__ === undefined || value.__len__() > 0;
    default:
      return value !== undefined;
  }
}

export function eq(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") {
    const numbers = typeof one === "boolean" || typeof other === "boolean";
    return numbers && isNumber(one) && isNumber(other) && Number(one) === Number(other);
  }
  if (one === null || other === null) return false;
  if (one.__eq__ !== undefined) return one.__eq__(other);
  if (isBytes(one)) return isBytes(other) && sameItems(one, other);
  if (Array.isArray(one)) {
    return Array.isArray(other) && !isBytes(other) && isTuple(one) === isTuple(other) && sameItems(one, other);
  }
  if (one instanceof Dict) {
    const alike = other instanceof Dict && one.size === other.size;
    return alike && every(one, ([key, value]) => other.has(key) && eq(value, other.get(key)));
  }
  if (one instanceof PySet) return other instanceof PySet && one.size === other.size && every(one, (v) => other.has(v));
  const fields = one.constructor === other.constructor ? one.constructor.compared : undefined;
  return fields !== undefined && fields.every((name) => eq(one[name], other[name]));
}

function every(values, holds) {
  for (const value of values) if (!holds(value)) return false;
  return true;
}

function isNumber(value) {
  return typeof value === "number" || typeof value === "boolean";
}

function sameItems(one, other) {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (!eq(one[i], other[i])) return false;
  return true;
}

// Order of two texts by code points.
function ofTexts(one, other) {
  if (one === other) return 0;
  if (!isWide(one) && !isWide(other)) return one < other ? -1 : 1;
  const [a, b] = [[...one], [...other]];
  const n = a.findIndex((letter, i) => letter !== b[i]);
  if (n < 0 || n >= b.length) return n < 0 ? -1 : 1;
  return a[n].codePointAt(0) < b[n].codePointAt(0) ? -1 : 1;
}

export function less(one, other) {
  if (isNumber(one) && isNumber(other)) return one < other;
  if (typeof one === "string" && typeof other === "string") return ofTexts(one, other) < 0;
  const items = [one, other].every((value) => Array.isArray(value) || value instanceof Uint8Array);
  if (items) {
    const n = Math.min(one.length, other.length);
    for (let i = 0; i < n; i++) if (!eq(one[i], other[i])) return less(one[i], other[i]);
    return one.length < other.length;
  }
  if (one instanceof PySet && other instanceof PySet) {
    return one.size < other.size && every(one, (value) => other.has(value));
  }
  return one?.__lt__ === undefined ? fail("'<' not supported between these") : one.__lt__(other);
}

export function atMost(one, other) {
  if (isNumber(one) && isNumber(other)) return one <= other;
  if (one?.__le__ !== undefined) return one.__le__(other);
  if (one instanceof PySet && other instanceof PySet) return every(one, (value) => other.has(value));
  return less(one, other) || eq(one, other);
}

// What a loop goes over. A generator that is left early goes on later, as in Python.
export function iter(value) {
  if (Array.isArray(value) || typeof value === "string" || value instanceof Uint8Array) return value;
  if (value instanceof Map) return value.keys();
  if (value instanceof Set) return value;
  if (typeof value?.next === "function") return { [Symbol.iterator]: () => ({ next: () => value.next() }) };
  if (value?.__iter__ !== undefined) return value.__iter__();
  return value?.[Symbol.iterator] === undefined ? fail("object is not iterable") : value;
}

export function isIn(value, container) {
  if (typeof container === "string") return container.includes(value);
  if (container instanceof Map || container instanceof Set) return container.has(value);
  if (container?.__contains__ !== undefined) return container.__contains__(value);
  if (isBytes(container) && isBytes(value)) return findBytes(container, value, 0) >= 0;
  for (const one of iter(container)) if (eq(one, value)) return true;
  return false;
}

// The place of bytes in others from a place on, -1 if they are not there.
export function findBytes(bytes, part, from) {
  for (let i = from; i + part.length <= bytes.length; i++) {
    let n = 0;
    while (n < part.length && bytes[i + n] === part[n]) n++;
    if (n === part.length) return i;
  }
  return -1;
}

const TYPES = {
  str: (value) => typeof value === "string",
  bool: (value) => typeof value === "boolean",
  number: isNumber,
  list: (value) => Array.isArray(value) && !Object.isFrozen(value) && !(value instanceof ByteArray),
  tuple: isTuple,
  dict: (value) => value instanceof Dict,
  set: (value) => value instanceof PySet,
  bytes: (value) => value instanceof Uint8Array,
  bytearray: (value) => value instanceof ByteArray,
  none: (value) => value === null,
};

// Tell whether a value is of one of some types: names of those of Python, or classes.
export function isinstance(value, ...types) {
  return types.some((type) => {
    if (typeof type === "string") return TYPES[type](value);
    return typeof value === "object" && value !== null && issubclass(value.constructor, type);
  });
}
