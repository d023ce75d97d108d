/* The measurement noise of a recording, as couplant.analysis.noise: its high differences tell it. */

import { median } from "./resample.js";
import { quantum, repeats, roundHalfEven } from "./sampling.js";
import { largest, rms } from "./sums.js";

const ORDERS = [4, 6, 8];
const WHITE = 0.1;
const CHANCE = 4;
const LEAST = 64;
const ROUNDING = 1e-12;
const QUARTILE = 0.6744897501960817;  // of the normal distribution

/* Returns { deviation [signal unit], share, certain }, null where no noise stands out. */
export function noiseOf(recorded) {
  const value = once(recorded);
  if (value.length < LEAST) return null;
  const deviations = ORDERS.map((order) => deviation(value, order));
  const step = quantum(recorded), rounded = step === null ? 0 : step / Math.sqrt(12);
  if (!(Math.max(deviations[1], rounded) > ROUNDING * largest(value))) return null;
  const chance = CHANCE * Math.sqrt(Math.PI / 2 / value.length);
  const falls = deviations[2] < (1 - WHITE - chance) * deviations[0];
  const coarse = deviations[1] <= rounded, found = coarse ? rounded : deviations[falls ? 2 : 1];
  const certain = coarse || !falls;
  return { deviation: short(found), share: short(found / rms(recorded)), certain };
}

function short(value) {
  return Number(value.toPrecision(4));
}

/* The standard deviation of white noise whose differences of an order have this median. */
function deviation(value, order) {
  let differences = value.map((v) => v - value[0]), binomial = 1;
  for (let i = 1; i <= order; i++) {
    differences = differences.subarray(1).map((v, n) => v - differences[n]);
    binomial *= (order + i) / i;
  }
  return median(differences.map(Math.abs)) / (QUARTILE * Math.sqrt(binomial));
}

/* Values that a slower sender repeats, each once. */
function once(value) {
  const held = repeats(value);
  if (held === null) return value;
  const count = Math.ceil((value.length - 0.5) / held);
  const places = Array.from({ length: count }, (_, i) => roundHalfEven(i * held)).filter((at) => at < value.length);
  return Float64Array.from(places, (at) => value[at]);
}
