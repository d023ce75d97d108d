/* How a signal was sampled, as couplant.analysis.signal.sampling: steps of quantisation, slow senders that repeat values. */

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
  const sizes = kept(changed, (is) => is, (_, i) => Math.abs(value[i + 1] - value[i]));
  if (sizes.length < CHANGES) return null;
  const least = quantile(sizes, 0.05);
  const near = kept(sizes, (size) => Math.abs(size / least - 1) <= 0.05), step = total(near) / near.length;
  const multiple = (size) => roundHalfEven(size / step);
  const share = (test) => sizes.reduce((n, size) => n + (test(size, multiple(size)) ? 1 : 0), 0) / sizes.length;
  const level = (v) => roundHalfEven((v - value[0]) / step) + 0;
  const whole = share((size, n) => Math.abs(size / step - n) <= 0.05) >= 0.95;
  const fits = whole && share((_, n) => n <= 2) > 0.5 && uneven(value, changed, multiple) >= 0.1;
  return fits && hasLevels(value, level) ? Number(step.toPrecision(6)) : null;
}

/* The share of changes, but one at the start, that are one step larger or smaller than the change before them. */
function uneven(value, changed, multiple) {
  let count = 0, found = 0;
  for (let i = 1, before = multipleAt(0); i < changed.length; i++) {
    const now = multipleAt(i);
    if (changed[i]) [count, found] = [count + 1, found + (Math.abs(now - before) === 1 ? 1 : 0)];
    before = now;
  }
  return found / count;

  function multipleAt(i) {
    return changed[i] ? multiple(Math.abs(value[i + 1] - value[i])) : 0;
  }
}

/* Returns what `discontinuity.floor` is proposed to be [signal unit]. */
export function proposedFloor(step) {
  return step === null ? 0 : Number((FLOOR_STEPS * step).toPrecision(4));
}

/* Returns how many macro steps a value stays that comes from a slower sender, null from any other one. */
export function repeats(value) {
  const changed = changes(value), places = kept(changed, (is) => is, (_, i) => i);
  const runs = Float64Array.from({ length: Math.max(0, places.length - 1) }, (_, i) => places[i + 1] - places[i]);
  if (runs.length < RUNS || !hasLevels(value)) return null;
  const usual = quantile(runs, 0.5), near = kept(runs, (run) => Math.abs(run - usual) <= 1);
  const whole = kept(near, (run) => run === usual).length / near.length > 0.8;
  const period = whole ? usual : total(near) / near.length;
  const sizes = runs.map((_, i) => Math.abs(value[places[i + 1] + 1] - value[places[i + 1]]));
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

/* Values that pass a test, or what `of` makes of them; `filter` takes several times the memory of such an array. */
function kept(values, test, of = (v) => v) {
  const found = new Float64Array(values.reduce((n, v) => n + (test(v) ? 1 : 0), 0));
  let count = 0;
  for (let i = 0; i < values.length; i++) if (test(values[i])) found[count++] = of(values[i], i);
  return found;
}

/* Whether values have enough levels; no more of them are kept. */
function hasLevels(values, level = (v) => v) {
  const found = new Set();
  for (let i = 0; i < values.length && found.size < LEVELS; i++) found.add(level(values[i]));
  return found.size >= LEVELS;
}

/* Returns whether each value differs from the one before, from the second on. */
function changes(value) {
  let low = Infinity, high = -Infinity;
  for (const v of value) {
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  const least = Math.max(SAME * (high - low), 4 * EPSILON * Math.max(Math.abs(low), Math.abs(high)));
  return Uint8Array.from({ length: value.length - 1 }, (_, i) => Math.abs(value[i + 1] - value[i]) > least);
}

/* The nearest value, of two as near the one with the even place (numpy.quantile, method nearest). */
function quantile(values, share) {
  return values.slice().sort()[roundHalfEven((values.length - 1) * share)];
}

export function roundHalfEven(value) {
  const low = Math.floor(value), rest = value - low;
  return rest < 0.5 || (rest === 0.5 && low % 2 === 0) ? low : low + 1;
}
