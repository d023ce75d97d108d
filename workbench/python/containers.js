// Dictionaries and sets of Python: keys are compared by value, and stay in the order in which they came.

import { KeyError } from "./errors.js";

// A text that two keys share when they are equal in Python; a key that is no object is its own.
export function keyText(key) {
  if (typeof key === "string") return `"${key.length}:${key}`;
  if (typeof key !== "object" || key === null) return String(typeof key === "boolean" ? Number(key) : key + 0);
  if (Array.isArray(key) || ArrayBuffer.isView(key)) return `(${Array.from(key, keyText).join(",")})`;
  if (key instanceof PySet) return `{${[...key].map(keyText).sort().join(",")}}`;
  const fields = key.constructor.compared;
  if (fields === undefined) return `#${identity(key)}`;
  return `${identity(key.constructor)}(${fields.map((name) => keyText(key[name])).join(",")})`;
}

const identities = new WeakMap();
let count = 0;

export function identity(object) {
  if (!identities.has(object)) identities.set(object, (count += 1));
  return identities.get(object);
}

// The object under which a key is kept: the first one that was equal to it.
function kept(known, key, add) {
  if (typeof key === "boolean") return Number(key);
  if (typeof key !== "object" || key === null) return key;
  const text = keyText(key);
  if (add && !known.has(text)) known.set(text, key);
  return known.get(text) ?? key;
}

export class Dict extends Map {
  constructor(pairs = []) {
    super();
    this.known = new Map();
    for (const [key, value] of pairs) this.set(key, value);
  }

  get(key) {
    return super.get(kept(this.known, key, false));
  }

  has(key) {
    return super.has(kept(this.known, key, false));
  }

  set(key, value) {
    if (typeof key === "string") return super.set(key, value);
    return super.set(kept(this.known, key, true), value);
  }

  delete(key) {
    const found = super.delete(kept(this.known, key, false));
    if (typeof key === "object" && key !== null) this.known.delete(keyText(key));
    return found;
  }

  clear() {
    super.clear();
    this.known.clear();
  }
}

export class PySet extends Set {
  constructor(values = []) {
    super();
    this.known = new Map();
    for (const value of values) this.add(value);
  }

  has(value) {
    return super.has(kept(this.known, value, false));
  }

  add(value) {
    return super.add(kept(this.known, value, true));
  }

  delete(value) {
    const found = super.delete(kept(this.known, value, false));
    if (typeof value === "object" && value !== null) this.known.delete(keyText(value));
    return found;
  }
}

// The value of a key that has to be there.
export function valueAt(dict, key) {
  const found = dict.get(key);
  if (found === undefined) throw new KeyError(key);
  return found;
}

function removed(dict, key, otherwise) {
  const found = dict.get(key);
  if (found === undefined) {
    if (otherwise === undefined) throw new KeyError(key);
    return otherwise;
  }
  dict.delete(key);
  return found;
}

function merged(one, other) {
  return new Dict([...one, ...other]);
}

function grown(dict, other) {
  for (const [key, value] of other) dict.set(key, value);
  return dict;
}

function added(dict, key, value) {
  const found = dict.get(key);
  if (found !== undefined) return found;
  dict.set(key, value);
  return value;
}

// Methods of dictionaries.
export const dict = {
  at: valueAt,
  get: (self, key, otherwise = null) => {
    const found = self.get(key);
    return found === undefined ? otherwise : found;
  },
  pop: removed,
  popitem: (self) => {
    const last = [...self].at(-1);
    if (last === undefined) throw new KeyError("popitem(): dictionary is empty");
    self.delete(last[0]);
    return Object.freeze(last);
  },
  remove: (self, key) => void removed(self, key),
  setdefault: (self, key, value = null) => added(self, key, value),
  keys: (self) => new PySet(self.keys()),
  values: (self) => [...self.values()],
  items: (self) => Array.from(self, Object.freeze),
  update: (self, other) => void grown(self, other instanceof Map ? other : new Dict(other)),
  copy: (self) => new Dict(self),
  clear: (self) => self.clear(),
  merged,
  grown,
  fromkeys: (keys, value = null) => new Dict(Array.from(keys, (key) => [key, value])),
};

function union(one, ...more) {
  const found = new PySet(one);
  for (const other of more) for (const value of other) found.add(value);
  return found;
}

const among = (values) => (values instanceof PySet || values instanceof Dict ? values : new PySet(values));
const difference = (one, other, there = among(other)) => new PySet([...one].filter((value) => !there.has(value)));
const intersection = (one, other, there = among(other)) => new PySet([...one].filter((value) => there.has(value)));
const issubset = (one, other, there = among(other)) => [...one].every((value) => there.has(value));

// Methods of sets.
export const set = {
  add: (self, value) => void self.add(value),
  discard: (self, value) => void self.delete(value),
  remove: (self, value) => {
    if (!self.delete(value)) throw new KeyError(value);
  },
  pop: (self) => {
    for (const value of self) return self.delete(value) && value;
    throw new KeyError("pop from an empty set");
  },
  update: (self, ...others) => others.forEach((other) => [...other].forEach((value) => self.add(value))),
  copy: (self) => new PySet(self),
  clear: (self) => {
    self.clear();
    self.known.clear();
  },
  union,
  difference: (one, other) => difference(one, other),
  intersection: (one, other) => intersection(one, other),
  symmetric_difference: (one, other) => union(difference(one, other), difference(among(other), one)),
  issubset: (one, other) => issubset(one, other),
  issuperset: (one, other) => issubset(other, one),
  isdisjoint: (one, other) => intersection(one, other).size === 0,
};
