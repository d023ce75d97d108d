/* A signal of any sampling on the grid of the macro steps, as couplant.tables.recordings.resample. */

export const SHORTEST = 64;

/* Returns { macroStep, value, gaps, longestGap } or { error }: a sentence. Times [s], values that may be NaN. */
export function resample(time, values, macroStep = null, name = "y") {
  const { t, y, gaps } = withoutGaps(time, values);
  if (t.length < 2) return { error: `Fewer than two values of ${name} are numbers.` };
  let [least, most] = [Infinity, 0];
  for (let i = 0; i + 1 < t.length; i++) {
    const one = t[i + 1] - t[i];
    if (one <= 0) return { error: `Time does not increase at ${shortest(t[i])} s.` };
    [least, most] = [Math.min(least, one), Math.max(most, one)];
  }
  const step = macroStep ?? Number(usualStep(t).toPrecision(9));
  const span = t[t.length - 1] - t[0];
  const count = step > 0 ? Math.floor((span / step) * (1 + 1e-12) + 1e-6) + 1 : 0;
  const told = `macro steps of ${shortest(step)} s`;
  if (count < SHORTEST) return { error: `${name} has ${Math.max(count, 0)} ${told}, at least ${SHORTEST} are needed.` };
  const fine = count > 100 * t.length + 1000;
  if (fine) return { error: `The macro step, ${shortest(step)} s, is far below the sampling of ${name}.` };
  const alike = count === t.length && most - least <= 1e-3 * step;
  return { macroStep: step, value: alike ? y : between(t, y, step, count), gaps, longestGap: gaps ? most : 0 };
}

function shortest(value) {
  return String(Number(value.toPrecision(6)));
}

/* The median of the steps between times. */
function usualStep(t) {
  const steps = new Float64Array(t.length - 1);
  for (let i = 0; i < steps.length; i++) steps[i] = t[i + 1] - t[i];
  return middleOf(steps.sort());
}

/* Gaps are runs of rows in which time or value is no number; without one nothing is copied. */
function withoutGaps(time, values) {
  const whole = time.every((one, i) => Number.isFinite(one) && Number.isFinite(values[i]));
  if (whole) return { t: time, y: values, gaps: 0 };
  const t = new Float64Array(time.length), y = new Float64Array(time.length);
  let count = 0, gaps = 0, good = true;
  for (let i = 0; i < time.length; i++) {
    const now = Number.isFinite(time[i]) && Number.isFinite(values[i]);
    if (now) { [t[count], y[count]] = [time[i], values[i]]; count += 1; }
    if (good && !now) gaps += 1;
    good = now;
  }
  return { t: t.subarray(0, count), y: y.subarray(0, count), gaps };
}

export function median(values) {
  return middleOf(values.slice().sort());
}

/* The median of values in their order. */
export function middleOf(sorted) {
  const middle = sorted.length >> 1;
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
