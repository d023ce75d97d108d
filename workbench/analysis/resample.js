/* A signal of any sampling on the grid of the macro steps, as couplant.tables.recordings.resample. */

export const SHORTEST = 64;

/* Returns { macroStep, value, gaps, longestGap } or { error }: a sentence. Times [s], values that may be NaN. */
export function resample(time, values, macroStep = null, name = "y") {
  const { t, y, gaps } = withoutGaps(time, values);
  if (t.length < 2) return { error: `Fewer than two values of ${name} are numbers.` };
  const steps = Float64Array.from({ length: t.length - 1 }, (_, i) => t[i + 1] - t[i]);
  const back = steps.findIndex((step) => step <= 0);
  if (back >= 0) return { error: `Time does not increase at ${shortest(t[back])} s.` };
  const step = macroStep ?? Number(median(steps).toPrecision(9));
  const span = t[t.length - 1] - t[0];
  const count = step > 0 ? Math.floor((span / step) * (1 + 1e-12) + 1e-6) + 1 : 0;
  const told = `macro steps of ${shortest(step)} s`;
  if (count < SHORTEST) return { error: `${name} has ${Math.max(count, 0)} ${told}, at least ${SHORTEST} are needed.` };
  const fine = count > 100 * t.length + 1000;
  if (fine) return { error: `The macro step, ${shortest(step)} s, is far below the sampling of ${name}.` };
  let [least, most] = [Infinity, 0];
  for (const one of steps) [least, most] = [Math.min(least, one), Math.max(most, one)];
  const alike = count === t.length && most - least <= 1e-3 * step;
  return { macroStep: step, value: alike ? y : between(t, y, step, count), gaps, longestGap: gaps ? most : 0 };
}

function shortest(value) {
  return String(Number(value.toPrecision(6)));
}

/* Gaps are runs of rows in which time or value is no number. */
function withoutGaps(time, values) {
  const t = [], y = [];
  let gaps = 0, good = true;
  for (let i = 0; i < time.length; i++) {
    const now = Number.isFinite(time[i]) && Number.isFinite(values[i]);
    if (now) { t.push(time[i]); y.push(values[i]); }
    if (good && !now) gaps += 1;
    good = now;
  }
  return { t: Float64Array.from(t), y: Float64Array.from(y), gaps };
}

export function median(values) {
  const sorted = Float64Array.from(values).sort(), middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/* Straight lines between samples, the way numpy.interp draws them. */
function between(t, y, step, count) {
  const found = new Float64Array(count);
  let j = 0;
  for (let n = 0; n < count; n++) {
    const at = t[0] + step * n;
    while (j < t.length - 2 && t[j + 1] <= at) j += 1;
    if (at >= t[t.length - 1]) found[n] = y[y.length - 1];
    else found[n] = ((y[j + 1] - y[j]) / (t[j + 1] - t[j])) * (at - t[j]) + y[j];
  }
  return found;
}
