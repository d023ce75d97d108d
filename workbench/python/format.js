// Numbers as text, and what stands behind the colon in a format string, as CPython does both.

import { ValueError } from "./errors.js";
import { fail, len } from "./values.js";

const SPEC = /^(?:([^])?([<>=^]))?([-+ ]?)(#?)(0?)(\d*)([,_]?)(?:\.(\d+))?([bcdeEfFgGnosxX%]?)$/u;
const PLAIN = { fill: " ", align: "", sign: "", alternate: false, width: 0, group: "", precision: null, kind: "" };
const bits = new DataView(new ArrayBuffer(8));

// A positive double as an integer times a power of two.
function exact(x) {
  bits.setFloat64(0, x);
  const word = bits.getBigUint64(0);
  const exponent = Number(word >> 52n);
  const fraction = word & 0xfffffffffffffn;
  return exponent === 0 ? [fraction, -1074] : [fraction | 0x10000000000000n, exponent - 1075];
}

// Tell whether a positive double is just digits times a power of ten.
function isJust(x, digits, power) {
  const [mantissa, exponent] = exact(x);
  const one = mantissa * 2n ** BigInt(Math.max(exponent, 0)) * 10n ** BigInt(Math.max(-power, 0));
  return one === BigInt(digits) * 2n ** BigInt(Math.max(-exponent, 0)) * 10n ** BigInt(Math.max(power, 0));
}

// C rounds halves to even, JavaScript up: where the digit after the last one is all that is left, it is told apart.
function halfway(x, longer, power) {
  const down = longer.endsWith("5") && (longer.at(-2) ?? "0") % 2 === 0 && isJust(x, longer, power);
  return down ? longer.slice(0, -1) : null;
}

// A positive double with so many digits after the point.
function fixed(x, digits) {
  if (x === Infinity) return "inf";
  if (x >= 1e21) return BigInt(x).toString() + (digits ? "." + "0".repeat(digits) : "");
  if (digits > 99) fail(`${digits} digits after the point, allowed 99`);
  const even = halfway(x, x.toFixed(digits + 1).replace(".", ""), -digits - 1);
  if (even === null) return x.toFixed(digits);
  const filled = even.padStart(digits + 1, "0");
  return digits ? `${filled.slice(0, -digits)}.${filled.slice(-digits)}` : filled;
}

// A positive double as digits, one of them before the point, and exponent.
function scientific(x, digits) {
  if (x === 0) return ["0".repeat(digits + 1), 0];
  if (digits > 99) fail(`${digits} digits after the point, allowed 99`);
  const [longer, power] = x.toExponential(digits + 1).replace(".", "").split("e");
  const even = halfway(x, longer, Number(power) - digits - 1);
  if (even !== null) return [even, Number(power)];
  const [found, exponent] = x.toExponential(digits).replace(".", "").split("e");
  return [found, Number(exponent)];
}

const pointed = (digits) => (digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits);

function withExponent(digits, exponent) {
  return `${pointed(digits)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function general(x, precision, alternate) {
  const count = precision || 1;
  const [digits, exponent] = scientific(x, count - 1);
  const inside = -4 <= exponent && exponent < count;
  if (inside) {
    const text = fixed(x, count - 1 - exponent);
    return alternate || !text.includes(".") ? text : text.replace(/\.?0+$/, "");
  }
  return withExponent(alternate ? digits : digits[0] + digits.slice(1).replace(/0+$/, ""), exponent);
}

function ofFloat(x, spec) {
  if (!Number.isFinite(x)) return `${Number.isNaN(x) ? "nan" : "inf"}${spec.kind === "%" ? "%" : ""}`;
  const text = ofFinite(x, spec);
  return spec.alternate && !text.includes(".") ? text.replace(/^\d+/, "$&.") : text;
}

function ofFinite(x, spec) {
  const precision = spec.precision ?? 6;
  switch (spec.kind.toLowerCase()) {
    case "e":
      return withExponent(...scientific(x, precision));
    case "f":
      return fixed(x, precision);
    case "%":
      return `${fixed(x * 100, precision)}%`;
    default:
      return general(x, precision, spec.alternate);
  }
}

const BASES = { b: 2, o: 8, d: 10, n: 10, x: 16 };

function ofInteger(x, spec) {
  if (!Number.isInteger(x)) fail(`a number that is no integer needs a format: ${x}`);
  const kind = spec.kind.toLowerCase() || "d";
  const digits = kind === "d" && x > Number.MAX_SAFE_INTEGER ? BigInt(x).toString() : x.toString(BASES[kind]);
  return (spec.alternate && kind !== "d" ? `0${kind}` : "") + digits;
}

function grouped(text, separator, size) {
  const [, head, digits, rest] = text.match(/^(0[box])?([0-9a-z]*)([^]*)$/i);
  return (head ?? "") + digits.replace(new RegExp(`(?<=.)(?=(?:.{${size}})+$)`, "g"), separator) + rest;
}

function filled(text, sign, spec, usual) {
  const gap = spec.width - len(text) - sign.length;
  if (gap <= 0) return sign + text;
  const align = spec.align || usual;
  if (align === "=") return sign + spec.fill.repeat(gap) + text;
  const before = { "<": 0, ">": gap, "^": Math.floor(gap / 2) }[align];
  return spec.fill.repeat(before) + sign + text + spec.fill.repeat(gap - before);
}

function ofNumber(value, spec) {
  const real = /[eEfFgG%]/.test(spec.kind);
  if (!real && spec.precision !== null) throw new ValueError("precision not allowed in integer format specifier");
  if (spec.kind === "c") return filled(String.fromCodePoint(value), "", spec, "<");
  const negative = value < 0 || (real && Object.is(value, -0));
  const x = Math.abs(value);
  let text = real ? ofFloat(x, spec) : ofInteger(x, spec);
  if (spec.kind !== spec.kind.toLowerCase()) text = text.toUpperCase();
  const sign = negative ? "-" : spec.sign.replace("-", "");
  if (spec.group) text = withGroups(text, spec, sign);
  return filled(text, sign, spec, ">");
}

// Zeros in front are grouped too.
function withGroups(text, spec, sign) {
  if (!/^\d/.test(text)) return text;
  const size = spec.group === "_" && /[bxXo]/.test(spec.kind) ? 4 : 3;
  let found = grouped(text, spec.group, size);
  if (spec.align !== "=" || spec.fill !== "0") return found;
  for (let more = `0${text}`; found.length < spec.width - sign.length; more = `0${more}`) {
    found = grouped(more, spec.group, size);
  }
  return found.startsWith(spec.group) ? `0${found}` : found;
}

const parsed = new Map();

function specOf(text) {
  if (!parsed.has(text)) parsed.set(text, parse(text));
  return parsed.get(text);
}

function parse(text) {
  const found = SPEC.exec(text);
  if (found === null) throw new ValueError(`Invalid format specifier '${text}'`);
  const [, fill, align, sign, alternate, zero, width, group, precision, kind] = found;
  return {
    ...PLAIN,
    fill: fill ?? (zero ? "0" : " "),
    align: align ?? (zero ? "=" : ""),
    sign,
    alternate: alternate === "#",
    width: Number(width),
    group,
    precision: precision === undefined ? null : Number(precision),
    kind,
  };
}

// What stands in braces with a colon behind it.
export function format(value, text) {
  const spec = specOf(text);
  if (typeof value === "number" || (typeof value === "boolean" && text)) return ofNumber(Number(value), spec);
  if (typeof value !== "string") fail("only numbers and texts have a format");
  if (spec.kind !== "" && spec.kind !== "s") throw new ValueError(`Unknown format code '${spec.kind}' for a str`);
  const cut = spec.precision === null ? value : [...value].slice(0, spec.precision).join("");
  return filled(cut, "", spec, "<");
}

// A number rounded to so many decimal digits.
export function roundTo(value, digits) {
  if (!Number.isFinite(value) || value === 0) return value;
  if (digits < 0) fail("digits below zero");
  if (Number.isInteger(value) || digits > 99) return value;
  return Math.sign(value) * Number(fixed(Math.abs(value), digits));
}
