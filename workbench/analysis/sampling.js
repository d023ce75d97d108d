/* How a signal was sampled, as couplant.analysis.sampling: steps of quantisation, slow senders that repeat values. */

import { median } from "./resample.js";
import { total } from "./sums.js";

const FLOOR_STEPS = 2;
const LEVELS = 12;
const CHANGES = 32;
const RUNS = 16;
const SAME = 1e-9;
const EPSILON = 2 ** -52;

/* Returns the step of quantisation [signal unit], null where there is none that looks like jumps. */
export function quantum(value) {
  const changed = changes(value);
  const steps = Float64Array.from(changed, (is, i) => (is ? Math.abs(value[i + 1] - value[i]) : 0));
  const sizes = steps.filter((_, i) => changed[i]);
  if (sizes.length < CHANGES) return null;
  const least = quantile(sizes, 0.05);
  const near = sizes.filter((size) => Math.abs(size / least - 1) <= 0.05), step = total(near) / near.length;
  const multiples = steps.map((size) => roundHalfEven(size / step));
  const kept = multiples.filter((_, i) => changed[i]);
  const share = (values, test) => values.reduce((n, v, i) => n + (test(v, i) ? 1 : 0), 0) / values.length;
  const uneven = [];
  for (let i = 1; i < multiples.length; i++) {
    if (changed[i]) uneven.push(Math.abs(multiples[i] - multiples[i - 1]) === 1);
  }
  const levels = new Set(value.map((v) => roundHalfEven((v - value[0]) / step) + 0)).size;
  const whole = share(sizes, (size, i) => Math.abs(size / step - kept[i]) <= 0.05) >= 0.95;
  const fits = whole && share(kept, (n) => n <= 2) > 0.5 && share(uneven, (is) => is) >= 0.1;
  return fits && levels >= LEVELS ? Number(step.toPrecision(6)) : null;
}

/* Returns what `discontinuity.floor` is proposed to be [signal unit]. */
export function proposedFloor(step) {
  return step === null ? 0 : Number((FLOOR_STEPS * step).toPrecision(4));
}

/* Returns how many macro steps a value stays that comes from a slower sender, null from any other one. */
export function repeats(value) {
  const changed = changes(value), places = [];
  for (let i = 0; i < changed.length; i++) if (changed[i]) places.push(i);
  const runs = Float64Array.from({ length: Math.max(0, places.length - 1) }, (_, i) => places[i + 1] - places[i]);
  if (runs.length < RUNS || new Set(value).size < LEVELS) return null;
  const usual = quantile(runs, 0.5), near = runs.filter((run) => Math.abs(run - usual) <= 1);
  const whole = near.filter((run) => run === usual).length / near.length > 0.8;
  const period = whole ? usual : total(near) / near.length;
  const sizes = Float64Array.from(runs, (_, i) => Math.abs(value[places[i + 1] + 1] - value[places[i + 1]]));
  const middle = median(sizes);
  let regular = 0, varied = 0;
  runs.forEach((run, i) => {
    const times = roundHalfEven(run / period);
    if (Math.abs(run - times * period) < 1) regular += 1;
    if ((whole && times > 1) || Math.abs(sizes[i] - middle) > 0.05 * middle) varied += 1;
  });
  const fits = regular / runs.length >= 0.9 && varied / runs.length >= 0.2;
  return fits && period >= 2 ? Number(period.toPrecision(3)) : null;
}

/* Returns whether each value differs from the one before, from the second on. */
function changes(value) {
  let low = Infinity, high = -Infinity;
  for (const v of value) [low, high] = [Math.min(low, v), Math.max(high, v)];
  const least = Math.max(SAME * (high - low), 4 * EPSILON * Math.max(Math.abs(low), Math.abs(high)));
  return Array.from({ length: value.length - 1 }, (_, i) => Math.abs(value[i + 1] - value[i]) > least);
}

/* The nearest value, of two as near the one with the even place (numpy.quantile, method nearest). */
function quantile(values, share) {
  return Float64Array.from(values).sort()[roundHalfEven((values.length - 1) * share)];
}

export function roundHalfEven(value) {
  const low = Math.floor(value), rest = value - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}
