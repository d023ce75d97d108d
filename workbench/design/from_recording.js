/* Designs from a recording, judged by their open-loop error on it, like couplant.design.from_recording.

   A recording is { name, value, macroStep, spectrum }, the part that a design is made of: the first three fifths unless
   another file judges. Its values are those at the macro steps, `spectrum` is that of analysis/spectrum.js of them. */

import { median } from "../analysis/resample.js";
import { bands } from "../analysis/spectrum.js";
import { total } from "../analysis/sums.js";
import { chooseTaps, design } from "./optimal.js";
import { DesignTask } from "./task.js";

const NOISY_TAPS = 30;
const NOISY_PEAKS = [1.5, 2, 6];
const BETTER = 0.95;
const LOUD = 10;
const LONGEST = 1_000_000;

const alike = new WeakMap(); // what designs of a recording share

/* The best of a few designs on a recording at the latency `k` [macro steps]; no weight is fitted to values, only to its
   spectrum. For noisy signals: exact on constants, weights of the error from the spectrum, gain above the useful band
   at most 1.5, 2 or 6, the smallest that a larger one does not beat by 5 %. For clean signals: exact on parabolas, all
   frequencies of the useful band alike. The open-loop error on the recording decides. */
export function designFor(recording, k, timing) {
  const { name, macroStep, spectrum, value } = recording, nyquist = Math.PI / macroStep;
  if (constant(value)) throw new RangeError(`${name} never changes: there is nothing to design for`);
  const high = Math.min(Math.max(bands(spectrum).useful, 2 * spectrum.omega[0]), 0.9 * nyquist);
  const band = [Math.min(0.01 * nyquist, 0.05 * high), high], judge = (one) => openLoopError(value, one);
  if (!alike.has(recording)) alike.set(recording, new Map());
  const asked = { macroStep, k, band, timing, shared: alike.get(recording) };
  const noisy = new DesignTask({ ...asked, m: NOISY_TAPS, degree: 0, slope: 0, spectrum }), clean = new DesignTask(asked);
  const candidates = NOISY_PEAKS.map((peak) => design(noisy.changed({ peak })));
  const rated = [...candidates, chooseTaps(clean, judge)].map((one) => ({ one, error: judge(one) }));
  return rated.reduce((best, other) => (other.error < BETTER * best.error ? other : best)).one;
}

/* Root mean square error of a design at the macro points of a recording, at most its first million. Where the weights
   still look back before the start does not count, at most a quarter. */
export function openLoopError(value, { task: { k, timing }, a, A }) {
  const late = timing === "step" ? 1 : 0, taps = Float64Array.from(a, (weight, l) => weight + late * A[l]);
  const size = Math.min(value.length, LONGEST), start = Math.min(k + 1 + taps.length, Math.floor(size / 4));
  const squares = new Float64Array(size - start), inside = k + late + taps.length - 1; // from there on all are there
  const enter = (i, estimate) => { squares[i - start] = (estimate - value[i]) ** 2; };
  for (let i = start; i < size;) {
    const newest = i - k - late;
    if (i < inside || i + 4 > size) {
      enter(i++, taps.reduce((sum, weight, l) => sum + weight * value[Math.max(newest - l, 0)], 0));
      continue;
    }
    let a = 0, b = 0, c = 0, d = 0; // four sums at a time: one would wait for each addition
    for (let l = 0; l < taps.length; l++) {
      const weight = taps[l], at = newest - l;
      a += weight * value[at];
      b += weight * value[at + 1];
      c += weight * value[at + 2];
      d += weight * value[at + 3];
    }
    enter(i++, a);
    enter(i++, b);
    enter(i++, c);
    enter(i++, d);
  }
  return Math.sqrt(total(squares) / (size - start));
}

/* How steeply a signal falls above `above` [rad/s]: r in |Y| ~ ω^-r, at least 0. Only what stands ten times out of the
   noise counts: null for constant signals, fewer than eight such frequencies or less than a third of a decade. */
export function decay({ value, spectrum: { omega, power } }, above) {
  if (constant(value)) return null;
  const floor = median(power.slice(Math.floor(power.length / 2))), first = omega.findIndex((one) => one > above);
  let end = first < 0 ? omega.length : first;
  while (end < omega.length && power[end] > LOUD * floor) end++;
  if (first < 0 || end - first < 8 || omega[end - 1] < 10 ** (1 / 3) * omega[first]) return null;
  const x = Array.from(omega.slice(first, end), Math.log), y = Array.from(power.slice(first, end), Math.log);
  const middle = total(x) / x.length;
  const rise = total(x, (one, i) => (one - middle) * y[i]) / total(x, (one) => (one - middle) ** 2);
  return Math.max(0, -0.5 * rise);
}

function constant(value) {
  return value.every((one) => one === value[0]);
}
