// The one written form of a real number, as builder/couplant/written.py has it: that of Python's repr().

import { ValueError } from "./errors.js";

const SMALLEST_EXPONENT = -4;
const LARGEST_EXPONENT = 15;

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
  const number = Number(value);
  if (!Number.isFinite(number)) {
    const name = Number.isNaN(number) ? "nan" : number < 0 ? "-inf" : "inf";
    throw new ValueError(`${name} cannot be written: allowed are finite numbers`);
  }
  const sign = number < 0 || Object.is(number, -0) ? "-" : "";
  const [mantissa, power] = Math.abs(number).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(power);
  const far = exponent < SMALLEST_EXPONENT || exponent > LARGEST_EXPONENT;
  return sign + (far ? withExponent(digits, exponent) : withPoint(digits, exponent));
}
