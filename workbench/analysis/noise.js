/* The measurement noise of a recording, as couplant.analysis.signal.sampling: its high differences tell it. */

import { middleOf } from "./resample.js";
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
  const differences = value.map((v) => v - value[0]), count = value.length - order;
  let binomial = 1;
  for (let i = 1; i <= order; i++) {
    for (let n = 0; n < value.length - i; n++) differences[n] = differences[n + 1] - differences[n];
    binomial *= (order + i) / i;
  }
  for (let n = 0; n < count; n++) differences[n] = Math.abs(differences[n]);
  return middleOf(differences.subarray(0, count).sort()) / (QUARTILE * Math.sqrt(binomial));
}

/* Values that a slower sender repeats, each once. */
function once(value) {
  const held = repeats(value);
  if (held === null) return value;
  const count = Math.ceil((value.length - 0.5) / held);
  const found = Float64Array.from({ length: count }, (_, i) => value[roundHalfEven(i * held)] ?? NaN);
  return roundHalfEven((count - 1) * held) < value.length ? found : found.subarray(0, -1);
}
