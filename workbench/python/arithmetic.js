// Arithmetic where that of Python differs: signs of remainders, division by zero, integers beyond 32 bits, rounding.

import { OverflowError, ValueError, ZeroDivisionError } from "./errors.js";

const LARGEST = Number.MAX_SAFE_INTEGER;
const POWERS = Float64Array.from({ length: 64 }, (_, n) => 2 ** n);

// An integer that a double holds exactly.
export function whole(value) {
  if (Math.abs(value) <= LARGEST) return value;
  throw new OverflowError("an integer above 2**53 is no number of JavaScript");
}

export function div(a, b) {
  if (Number(b) === 0) throw new ZeroDivisionError("division by zero");
  return a / b;
}

export function mod(a, b) {
  if (Number(b) === 0) throw new ZeroDivisionError("modulo by zero");
  const rest = a % b;
  if (rest === 0) return b < 0 && !Number.isInteger(a) ? -0 : 0;
  return rest < 0 === b < 0 ? rest : rest + b;
}

// Of floats as CPython does it, which is exact for integers too.
export function floordiv(a, b) {
  if (Number(b) === 0) throw new ZeroDivisionError("division by zero");
  const rest = a % b;
  let share = (a - rest) / b;
  if (rest !== 0 && rest < 0 !== b < 0) share -= 1;
  if (share === 0) return 0;
  const floor = Math.floor(share);
  return share - floor > 0.5 ? floor + 1 : floor;
}

export function divmod(a, b) {
  return Object.freeze([floordiv(a, b), mod(a, b)]);
}

const small = (a) => (a | 0) === a;

function large(a, b, by) {
  return whole(Number(by(BigInt(a), BigInt(b))));
}

export function and(a, b) {
  return small(a) && small(b) ? a & b : large(a, b, (x, y) => x & y);
}

export function or(a, b) {
  return small(a) && small(b) ? a | b : large(a, b, (x, y) => x | y);
}

export function xor(a, b) {
  return small(a) && small(b) ? a ^ b : large(a, b, (x, y) => x ^ y);
}

export function invert(a) {
  return -1 - a;
}

export function left(a, n) {
  if (n < 0) throw new ValueError("negative shift count");
  const shifted = a << n;
  return n < 31 && small(a) && shifted >> n === a ? shifted : whole(a * POWERS[Math.min(n, 63)]);
}

export function right(a, n) {
  if (n < 0) throw new ValueError("negative shift count");
  return n < 31 && small(a) ? a >> n : Math.floor(a / POWERS[Math.min(n, 63)]);
}

// A power of ten that a double holds exactly.
export function tenTo(n) {
  if (Number.isInteger(n) && n >= 0 && n <= 22) return Number(`1e${n}`);
  throw new OverflowError("a power of ten, allowed 0 to 22");
}

// Halves go to the even neighbour.
export function round(value) {
  const x = Number(value);
  if (!Number.isFinite(x)) throw Number.isNaN(x) ? new ValueError("cannot convert float NaN to integer") : infinite();
  const floor = Math.floor(x);
  const rest = x - floor;
  return (rest < 0.5 || (rest === 0.5 && floor % 2 === 0) ? floor : floor + 1) + 0;
}

function infinite() {
  return new OverflowError("cannot convert float infinity to integer");
}

function finite(x) {
  if (Number.isNaN(x)) throw new ValueError("cannot convert float NaN to integer");
  if (!Number.isFinite(x)) throw infinite();
  return x + 0;
}

export const math = {
  sqrt: (x) => {
    if (x < 0) throw new ValueError("math domain error");
    return Math.sqrt(x);
  },
  floor: (x) => Math.floor(finite(x)) + 0,
  ceil: (x) => Math.ceil(finite(x)) + 0,
  trunc: (x) => Math.trunc(finite(x)) + 0,
  copysign: (x, sign) => (sign < 0 || Object.is(sign, -0) ? -Math.abs(x) : Math.abs(x)),
  isinf: (x) => Math.abs(x) === Infinity,
  gcd: (a, b) => (b === 0 ? Math.abs(a) : math.gcd(b, a % b)),
  frexp,
  ldexp,
  fsum,
};

// x = mantissa 2^exponent with a mantissa in [0.5, 1).
function frexp(x) {
  if (x === 0 || !Number.isFinite(x)) return Object.freeze([x, 0]);
  let [mantissa, exponent] = [x, 0];
  while (Math.abs(mantissa) >= 1) [mantissa, exponent] = [mantissa / 2, exponent + 1];
  while (Math.abs(mantissa) < 0.5) [mantissa, exponent] = [mantissa * 2, exponent - 1];
  return Object.freeze([mantissa, exponent]);
}

// Exact but where the result is subnormal, which is rounded once.
function ldexp(mantissa, exponent) {
  let [x, more] = [mantissa, exponent];
  if (x === 0 || !Number.isFinite(x)) return x;
  for (; more > 1000; more -= 1000) {
    x *= 2 ** 1000;
    if (!Number.isFinite(x)) throw new OverflowError("math range error");
  }
  const [fraction, own] = frexp(x);
  if (own + more > 1024) throw new OverflowError("math range error");
  if (own + more < -1080) return 0 * fraction;
  const down = Math.max(-1021 - own - more, 0); // bits that a subnormal lacks are cut off by the last product alone
  return own + more + down > 1023 ? fraction * 2 * 2 ** 1023 : fraction * 2 ** (own + more + down) * 2 ** -down;
}

// Shewchuk's partial sums, as CPython adds them up.
function fsum(values) {
  const partials = [];
  for (let x of values) {
    let n = 0;
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) partials[n++] = low;
      x = high;
    }
    partials.length = n;
    partials.push(x);
  }
  return rounded(partials);
}

function rounded(partials) {
  let n = partials.length;
  if (n === 0) return 0;
  let high = partials[--n];
  let low = 0;
  while (n > 0) {
    const x = high;
    const y = partials[--n];
    high = x + y;
    low = y - (high - x);
    if (low !== 0) break;
  }
  if (n > 0 && ((low < 0 && partials[n - 1] < 0) || (low > 0 && partials[n - 1] > 0))) {
    const twice = low * 2;
    const x = high + twice;
    if (twice === x - high) high = x;
  }
  return high;
}
