// The exceptions of Python; a class may have several bases, which `isinstance` knows.

const others = new Map(); // classes by class: bases besides the one that it extends

export class BaseException extends Error {
  constructor(...args) {
    super(args.length === 0 ? "" : String(args[0]));
    this.args = Object.freeze(args);
    this.__cause__ = null;
    this.__context__ = null;
  }

  get name() {
    return this.constructor.name;
  }
}

export class Exception extends BaseException {}
export class KeyboardInterrupt extends BaseException {}
export class ArithmeticError extends Exception {}
export class ZeroDivisionError extends ArithmeticError {}
export class OverflowError extends ArithmeticError {}
export class AssertionError extends Exception {}
export class AttributeError extends Exception {}
export class LookupError extends Exception {}
export class IndexError extends LookupError {}
export class KeyError extends LookupError {}
export class NotImplementedError extends Exception {}
export class RuntimeError extends Exception {}
export class StopIteration extends Exception {}
export class PyTypeError extends Exception {}
export class ValueError extends Exception {}
export class UnicodeError extends ValueError {}
export class UnicodeDecodeError extends UnicodeError {}
export class UnicodeEncodeError extends UnicodeError {}

export class OSError extends Exception {
  constructor(...args) {
    super(...args);
    this.errno = args.length > 1 ? args[0] : null;
    this.strerror = args.length > 1 ? args[1] : null;
  }
}

// Say that a class has further bases.
export function also(one, ...bases) {
  others.set(one, bases);
}

// Tell whether a class is another, or comes from it.
export function issubclass(one, other) {
  for (let found = one; typeof found === "function"; found = Object.getPrototypeOf(found)) {
    if (found === other || (others.get(found) ?? []).some((base) => issubclass(base, other))) return true;
  }
  return false;
}

// Tell whether an error is of one of some classes; what JavaScript itself throws is of none but the last of Python's.
export function caught(error, ...classes) {
  return classes.some((one) => error instanceof Error && issubclass(error.constructor, one));
}

// An error that another one has caused.
export function from(error, cause) {
  error.__cause__ = cause;
  return error;
}

export function assert(condition, text) {
  if (!condition) throw new AssertionError(...(text === undefined ? [] : [text]));
}
