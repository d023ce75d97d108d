/* Settings checked key by key as pydantic does it, by tables that Python wrote from pydantic's own schemas. */

import { Dict, PySet } from "../python/containers.js";
import { ValueError } from "../python/errors.js";
import { checkNumber, checkOne, checkText, checkTruth } from "./entries.js";

const WRONG = Symbol("wrong");

export class Checker {
  #tables;
  #classes;
  #functions;
  #errors = [];

  /* `tables` are those that Python wrote; `classes` of their objects and `functions` that checks call, by name, come
   * from translated modules. */
  constructor(tables, classes, functions) {
    this.#tables = tables;
    this.#classes = classes;
    this.#functions = functions;
  }

  /* Return the object that a document makes of a table, null if a key is wrong, and a list of what is wrong. */
  validate(table, document) {
    this.#errors = [];
    const value = this.#table({ table }, document, []);
    return { value: value === WRONG ? null : value, errors: this.#errors };
  }

  #wrong(type, loc, input, msg = "", expected = "") {
    this.#errors.push(new Dict(Object.entries({ type, loc: Object.freeze(loc), msg, expected, input })));
    return WRONG;
  }

  #check(node, value, loc) {
    switch (node.kind) {
      case "nullable":
        return value === null ? null : this.#check(node.of, value, loc);
      case "float":
      case "int":
        return this.#told(checkNumber(node, value), loc, value);
      case "bool":
        return this.#told(checkTruth(value), loc, value);
      case "str":
        return this.#told(checkText(node, value), loc, value);
      case "literal":
        return this.#told(checkOne(node, value), loc, value, node.expected);
      case "table":
        return this.#table(node, value, loc);
      case "dict":
        return this.#dict(node, value, loc);
      case "tuple":
        return this.#tuple(node, value, loc);
      case "allowed":
        return this.#allowed(node, value, loc);
      default:
        return this.#called(node, value, loc);
    }
  }

  #told(found, loc, input, expected = "") {
    return found.wrong === undefined ? found.value : this.#wrong(found.wrong, loc, input, "", expected);
  }

  #table(node, given, loc) {
    if (!(given instanceof Dict)) {
      return this.#wrong("model_type", loc, given);
    }
    const fields = Object.entries(this.#tables[node.table]);
    const found = Object.create(this.#classes.get(node.table).prototype);
    const before = this.#errors.length;
    found.model_fields_set = new PySet();
    for (const [name, field] of fields) {
      found[name] = this.#field(name, field, given, [...loc, field.written], found.model_fields_set);
    }
    const known = new Set(fields.map(([, field]) => field.written));
    for (const [key, value] of given) {
      if (!known.has(key)) {
        this.#wrong("extra_forbidden", [...loc, key], value);
      }
    }
    return this.#errors.length > before ? WRONG : found;
  }

  #field(name, field, given, loc, names) {
    if (given.has(field.written)) {
      names.add(name);
      return this.#check(field.check, given.get(field.written), loc);
    }
    if (!("default" in field)) {
      return this.#wrong("missing", loc, given);
    }
    return this.#check(field.check, ofJson(field.default), loc);
  }

  #dict(node, given, loc) {
    if (!(given instanceof Dict)) {
      return this.#wrong("dict_type", loc, given);
    }
    const before = this.#errors.length;
    const found = new Dict();
    for (const [key, value] of given) {
      this.#check(node.keys, key, [...loc, key, "[key]"]);
      found.set(key, this.#check(node.values, value, [...loc, key]));
    }
    if (this.#errors.length > before) {
      return WRONG;
    }
    return found.size < node.least ? this.#wrong("too_short", loc, given) : found;
  }

  #tuple(node, given, loc) {
    if (!Array.isArray(given)) {
      return this.#wrong("tuple_type", loc, given);
    }
    const before = this.#errors.length;
    const most = node.varies ? node.most ?? Infinity : node.items.length;
    if (given.length > most) {
      return this.#wrong("too_long", loc, given);
    }
    const found = given.map((value, i) => this.#check(node.items[node.varies ? 0 : i], value, [...loc, i]));
    const right = found.filter((value) => value !== WRONG).length;
    if (right < (node.varies ? node.least : node.items.length)) {
      return this.#wrong("too_short", loc, given);
    }
    return this.#errors.length > before ? WRONG : Object.freeze(found);
  }

  /* One phrase stands for all that is wrong inside. */
  #allowed(node, value, loc) {
    const before = this.#errors.length;
    const found = this.#check(node.of, value, loc);
    this.#errors.length = before;
    return found === WRONG ? this.#wrong("allowed", loc, value, node.phrase) : found;
  }

  #called(node, value, loc) {
    const make = this.#functions.get(node.function);
    const given = node.kind === "after" ? this.#check(node.of, value, loc) : value;
    if (given === WRONG) {
      return WRONG;
    }
    try {
      const made = make(given);
      return node.kind === "before" ? this.#check(node.of, made, loc) : made;
    } catch (error) {
      if (error instanceof ValueError) {
        return this.#wrong("value_error", loc, value);
      }
      throw error;
    }
  }
}

/* Return what JSON says as the translated modules have it. */
function ofJson(value) {
  if (Array.isArray(value)) {
    return value.map(ofJson);
  }
  const isTable = typeof value === "object" && value !== null;
  return isTable ? new Dict(Object.entries(value).map(([key, inner]) => [key, ofJson(inner)])) : value;
}
