// Objects of classes: data classes, tuples with names, what is worked out once.

import { Dict } from "./containers.js";
import { AttributeError, PyTypeError } from "./errors.js";
import { frozen } from "./values.js";

// Say which fields a data class has; objects with equal ones are equal, unless each is only itself.
export function fields(one, names, equal = true) {
  Object.defineProperty(one, "fields", { value: frozen(names) });
  Object.defineProperty(one, "compared", { value: equal ? one.fields : undefined });
}

// Values that a class has and its objects show.
export function constants(one, values) {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(one, name, { value, configurable: true });
    Object.defineProperty(one.prototype, name, { value, writable: true, configurable: true });
  }
}

// A tuple whose items have names.
export class NamedTuple extends Array {
  static get [Symbol.species]() {
    return Array;
  }

  _replace(changed) {
    return new this.constructor(...this.constructor.names.map((name, n) => changed[name] ?? this[n]));
  }

  _asdict() {
    return new Dict(this.constructor.names.map((name, n) => [name, this[n]]));
  }
}

export function named(one, names) {
  Object.defineProperty(one, "names", { value: frozen(names) });
  names.forEach((name, n) => {
    Object.defineProperty(one.prototype, name, {
      get() {
        return this[n];
      },
    });
  });
}

export function replace(object, changed) {
  const of = (name) => (Object.hasOwn(changed, name) ? changed[name] : object[name]);
  const unknown = Object.keys(changed).find((name) => !object.constructor.fields.includes(name));
  if (unknown !== undefined) throw new PyTypeError(`no field ${unknown}`);
  return new object.constructor(...object.constructor.fields.map(of));
}

export function asdict(value) {
  if (Array.isArray(value)) return Object.isFrozen(value) ? frozen(value.map(asdict)) : value.map(asdict);
  if (value instanceof Dict) return new Dict(Array.from(value, ([key, one]) => [key, asdict(one)]));
  if (value?.constructor?.fields === undefined) return value;
  return new Dict(vars(value).map(([name, one]) => [name, asdict(one)]));
}

function vars(object) {
  return object.constructor.fields.map((name) => [name, object[name]]);
}

export const attributes = (object) => new Dict(vars(object));

const worked = new WeakMap();

// What a property of an object is, worked out when it is asked for first.
export function cached(object, name, make) {
  if (!worked.has(object)) worked.set(object, new Map());
  const known = worked.get(object);
  if (!known.has(name)) known.set(name, make());
  return known.get(name);
}

export function getattr(object, name, otherwise = undefined) {
  const found = object === null ? undefined : object[name];
  if (found !== undefined) return typeof found === "function" ? found.bind(object) : found;
  if (otherwise === undefined) throw new AttributeError(`no attribute ${name}`);
  return otherwise;
}

// Arguments in the order of `names` from a dictionary of them; those that it lacks are left to their defaults.
export function spread(names, dict) {
  const unknown = [...dict.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined) throw new PyTypeError(`no argument ${unknown}`);
  return names.map((name) => dict.get(name));
}

// What JSON.parse gives, as Python would have it.
export function fromJson(value) {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== "object" || value === null) return value;
  return new Dict(Object.entries(value).map(([key, one]) => [key, fromJson(one)]));
}

// What JSON.stringify takes.
export function toJson(value) {
  if (value instanceof Dict) return Object.fromEntries(Array.from(value, ([key, one]) => [key, toJson(one)]));
  if (value instanceof Set || Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, toJson);
  return value?.constructor?.fields === undefined ? value : toJson(attributes(value));
}
