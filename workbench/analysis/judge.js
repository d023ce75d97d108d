/* Figures that judge an estimate, as couplant.analysis.signal.recording.judge and couplant.analysis.signal.sprague_geers. */

import { largest, total } from "./sums.js";

/* Both are arrays of one length [signal unit]; C is null where one of them is zero throughout. */
export function judge(value, estimate) {
  const error = Float64Array.from(value, (v, i) => Math.abs(estimate[i] - v));
  const mean = total(error) / error.length;
  const square = Math.sqrt(total(error, (e) => e * e) / error.length);
  return { mae: mean, rms: square, max: largest(error), C: combined(value, estimate) };
}

/* C of Sprague and Geers (Shock and Vibration 10, 2003), times 100: error of magnitude and phase together. */
export function combined(y, estimate) {
  const scale = Math.max(largest(y), largest(estimate));
  if (!Number.isFinite(scale)) return Infinity;
  if (scale === 0) return null;
  const square = (v) => (v / scale) * (v / scale), energy = total(y, square), estimated = total(estimate, square);
  if (energy === 0 || estimated === 0) return null;
  const product = total(y, (v, i) => (v / scale) * (estimate[i] / scale));
  const m = Math.abs(Math.sqrt(estimated / energy) - 1);
  const p = Math.acos(Math.min(1, Math.max(-1, product / Math.sqrt(energy * estimated)))) / Math.PI;
  return 100 * Math.hypot(m, p);
}
