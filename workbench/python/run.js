// What translated Python calls where JavaScript would do something else, under one name: `py`.

import { and, div, divmod, floordiv, invert, left, math, mod, or, right, round, tenTo, xor } from "./arithmetic.js";
import { bytes, fromBytes, fromhex, integerBytes, literal, pack } from "./bytes.js";
import { Dict, PySet, dict, set, valueAt } from "./containers.js";
import { ArithmeticError, AssertionError, AttributeError, BaseException, Exception } from "./errors.js";
import { IndexError, KeyError, KeyboardInterrupt, LookupError, NotImplementedError, OSError } from "./errors.js";
import { OverflowError, PyTypeError, RuntimeError, StopIteration, UnicodeDecodeError } from "./errors.js";
import { UnicodeEncodeError, UnicodeError, ValueError, ZeroDivisionError } from "./errors.js";
import { also, assert, caught, from, issubclass } from "./errors.js";
import { format, roundTo } from "./format.js";
import { all, any, cache, enumerate, flat, iterator, itertools, lazy, lazyFlat, map, mapped } from "./iterate.js";
import { max, min, next, range, reversed, sum, toList, zip } from "./iterate.js";
import { NamedTuple, asdict, attributes, cached, constants, fields, fromJson, getattr } from "./objects.js";
import { named, replace, spread, toJson } from "./objects.js";
import { escape, regex } from "./regex.js";
import { add, at, bitAnd, bitOr, bitXor, drop, iadd, ior, item, letter, list, mul, put, putItem } from "./sequences.js";
import { putSlice, slice, sorted, starred, sub, toByteArray, toBytes, unpack } from "./sequences.js";
import { float, int, repr, str, text } from "./texts.js";
import { ByteArray, atMost, eq, frozen, isIn, isTuple, isinstance, iter, len, less, truth, tuple } from "./values.js";

function methods(value) {
  if (typeof value === "string") return str;
  if (value instanceof Uint8Array || value instanceof ByteArray) return bytes;
  if (Array.isArray(value)) return list;
  if (value instanceof Dict) return dict;
  return value instanceof PySet ? set : {};
}

// Call a method of a value of any type.
function call(value, name, ...given) {
  const own = methods(value)[name];
  return own === undefined ? value[name](...given) : own(value, ...given);
}

// A method of a value, to be called later.
function bound(value, name) {
  return (...given) => call(value, name, ...given);
}

export const py = Object.freeze({
  ...{ ArithmeticError, AssertionError, AttributeError, BaseException, Exception, IndexError, KeyError },
  ...{ KeyboardInterrupt, LookupError, NotImplementedError, OSError, OverflowError, RuntimeError, StopIteration },
  ...{ UnicodeDecodeError, UnicodeEncodeError, UnicodeError, ValueError, ZeroDivisionError, TypeError: PyTypeError },
  ...{ Dict, Set: PySet, NamedTuple, ByteArray },
  ...{ and, or, xor, invert, left, right, div, divmod, floordiv, mod, round, roundTo, tenTo, math },
  ...{ bytes, fromBytes, fromhex, integerBytes, literal, pack, dict, set, list, str, valueAt },
  ...{ also, assert, caught, from, issubclass, isinstance, isTuple, eq, less, atMost, truth, len, isIn, iter },
  ...{ all, any, cache, enumerate, flat, iterator, itertools, lazy, lazyFlat, map, mapped, max, min, next, range },
  ...{ reversed, sum, zip, sorted, toList, toBytes, toByteArray, tuple, frozen, text, repr, format, float, int },
  ...{ asdict, attributes, cached, constants, fields, fromJson, toJson, getattr, named, replace, spread },
  ...{ escape, regex, add, at, bitAnd, bitOr, bitXor, drop, iadd, ior, item, letter, mul, put, putItem, putSlice },
  ...{ slice, starred, sub, unpack, call, bound },
});
