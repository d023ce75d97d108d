// The written forms of a real number, as builder/couplant/base/written.py has them: those of Python's repr() and hex().

import { ValueError } from "./errors.js";

const SMALLEST_EXPONENT = -4;
const LARGEST_EXPONENT = 15;
const SUBNORMAL = -1022; // power of two of all numbers below the smallest that has all its bits

function finite(value) {
  const number = Number(value);
  if (Number.isFinite(number)) return number;
  const name = Number.isNaN(number) ? "nan" : number < 0 ? "-inf" : "inf";
  throw new ValueError(`${name} cannot be written: allowed are finite numbers`);
}

const sign = (number) => (number < 0 || Object.is(number, -0) ? "-" : "");

function withExponent(digits, exponent) {
  const size = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits[0]}${digits.length > 1 ? "." : ""}${digits.slice(1)}e${exponent < 0 ? "-" : "+"}${size}`;
}

function withPoint(digits, exponent) {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${whole}.${digits.slice(exponent + 1) || "0"}`;
}

// The shortest decimal that is read as the same double. Both languages find the same digits; the forms differ.
export function real(value) {
  const number = finite(value);
  const [mantissa, power] = Math.abs(number).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(power);
  const far = exponent < SMALLEST_EXPONENT || exponent > LARGEST_EXPONENT;
  return sign(number) + (far ? withExponent(digits, exponent) : withPoint(digits, exponent));
}

// The bits of a double as C99 reads them, without zeros at the end of the fraction.
export function hexadecimal(value) {
  const number = finite(value);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  const power = (view.getUint16(0) >> 4) & 0x7ff;
  const high = (view.getUint32(0) & 0xfffff).toString(16).padStart(5, "0");
  const fraction = (high + view.getUint32(4).toString(16).padStart(8, "0")).replace(/0+$/, "");
  const exponent = number === 0 ? 0 : power === 0 ? SUBNORMAL : power - 1023;
  const digits = `${power === 0 ? 0 : 1}${fraction ? "." : ""}${fraction}`;
  return `${sign(number)}0x${digits}p${exponent < 0 ? "-" : "+"}${Math.abs(exponent)}`;
}
