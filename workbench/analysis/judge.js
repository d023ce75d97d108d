/* Figures that judge an estimate, as couplant.analysis.signal.recording.judge and couplant.analysis.signal.sprague_geers. */

import { largest, total } from "./sums.js";

/* Both are arrays of one length [signal unit]; C is null where one of them is zero throughout. */
export function judge(value, estimate) {
  return { ...errors(value, estimate), C: combined(value, estimate) };
}

export function errors(value, estimate) {
  const n = value.length, error = new Float64Array(n);
  for (let i = 0; i < n; i++) error[i] = Math.abs(estimate[i] - value[i]);
  return { mae: total(error) / n, rms: Math.sqrt(total(products(error, error)) / n), max: largest(error) };
}

function divided(values, by) {
  const found = new Float64Array(values.length);
  for (let i = 0; i < found.length; i++) found[i] = values[i] / by;
  return found;
}

function products(one, other) {
  const found = new Float64Array(one.length);
  for (let i = 0; i < found.length; i++) found[i] = one[i] * other[i];
  return found;
}

/* C of Sprague and Geers (Shock and Vibration 10, 2003), times 100: error of magnitude and phase together. */
export function combined(y, estimate) {
  const scale = Math.max(largest(y), largest(estimate));
  if (!Number.isFinite(scale)) return Infinity;
  if (scale === 0) return null;
  const one = divided(y, scale), other = divided(estimate, scale);
  const energy = total(products(one, one)), estimated = total(products(other, other));
  if (energy === 0 || estimated === 0) return null;
  const product = total(products(one, other));
  const m = Math.abs(Math.sqrt(estimated / energy) - 1);
  const p = Math.acos(Math.min(1, Math.max(-1, product / Math.sqrt(energy * estimated)))) / Math.PI;
  return 100 * Math.hypot(m, p);
}
