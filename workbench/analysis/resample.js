/* A signal of any sampling on the grid of the macro steps, as couplant.tables.recordings.resample. */

export const SHORTEST = 64;

const PAUSE = 100; // steps of the grid above which nothing was recorded

/* Returns { macroStep, value, gaps, longestGap, said } or { error }: a sentence. Times [s], values that may be NaN. */
export function resample(time, values, macroStep = null, name = "y") {
  let { t, y, gaps, doubled } = withoutGaps(time, values);
  if (t.length < 2) return { error: `Fewer than two values of ${name} are numbers.` };
  let [least, most] = [Infinity, 0];
  for (let i = 0; i + 1 < t.length; i++) {
    const one = t[i + 1] - t[i];
    if (one <= 0) return { error: `Time does not increase at ${shortest(t[i])} s.` };
    [least, most] = [Math.min(least, one), Math.max(most, one)];
  }
  const step = macroStep ?? usualStep(t);
  const pauses = most > PAUSE * step ? stretch(t, step) : null;
  if (pauses) {
    [t, y] = [t.subarray(pauses.first, pauses.last + 1), y.subarray(pauses.first, pauses.last + 1)];
    [least, most] = [Infinity, 0];
    let wide = 0;
    for (let i = 0; i + 1 < t.length; i++) {
      const one = t[i + 1] - t[i];
      if (one > 1.5 * step) wide += 1;
      [least, most] = [Math.min(least, one), Math.max(most, one)];
    }
    gaps = gaps && wide;
  }
  const said = [doubled && `${doubled} rows have the time of the row below, which counts`, pauses?.said];
  const span = t[t.length - 1] - t[0];
  const count = step > 0 ? Math.floor((span / step) * (1 + 1e-12) + 1e-6) + 1 : 0;
  const told = `macro steps of ${shortest(step)} s`;
  if (count < SHORTEST) return { error: `${name} has ${Math.max(count, 0)} ${told}, at least ${SHORTEST} are needed.` };
  const fine = count > 100 * t.length + 1000;
  if (fine) return { error: `The macro step, ${shortest(step)} s, is far below the sampling of ${name}.` };
  const alike = count === t.length && most - least <= 1e-3 * step;
  return { macroStep: step, value: alike ? y : between(t, y, step, count), gaps, longestGap: gaps ? most : 0,
    said: said.filter(Boolean).join("; ") };
}

/* First and last sample of the longest stretch without a pause, null where there is none: see Python. */
function stretch(t, step) {
  const steps = differences(t), usual = steps.slice().sort()[Math.floor(0.95 * (steps.length - 1))];
  const ends = [], limit = Math.max(PAUSE * step, 10 * usual);
  steps.forEach((one, i) => one > limit && ends.push(i));
  if (ends.length === 0) return null;
  let [first, last] = [0, -1];
  [-1, ...ends].forEach((before, n) => {
    const end = ends[n] ?? t.length - 1;
    if (last < 0 || t[end] - t[before + 1] > t[last] - t[first]) [first, last] = [before + 1, end];
  });
  const longest = Number(ends.reduce((most, i) => Math.max(most, steps[i]), 0).toPrecision(3));
  const seen = ends.length === 1 ? "a pause" : `${ends.length} pauses`;
  const kept = Number((t[last] - t[first]).toPrecision(3));
  return { first, last, said: `${seen} of up to ${longest} s: only the longest stretch without one counts, ${kept} s` };
}

function shortest(value) {
  return String(Number(value.toPrecision(6)));
}

function differences(t) {
  const steps = new Float64Array(t.length - 1);
  for (let i = 0; i < steps.length; i++) steps[i] = t[i + 1] - t[i];
  return steps;
}

/* The median of the steps between times, by the fewest digits that the resolution of these times allows. */
function usualStep(t) {
  const step = middleOf(differences(t).sort());
  const most = Math.max(Math.abs(t[0]), Math.abs(t[t.length - 1]));
  const resolution = 2 ** (Math.floor(Math.log2(most)) - 52);
  for (let digits = 1; digits < 9; digits++) {
    const one = Number(step.toPrecision(digits));
    if (Math.abs(one - step) <= resolution) return one;
  }
  return Number(step.toPrecision(9));
}

/* Gaps are runs of rows in which time or value is no number; of rows with one time the last counts. Without either
   nothing is copied. */
function withoutGaps(time, values) {
  const whole = time.every((one, i) => Number.isFinite(one) && Number.isFinite(values[i]) && one !== time[i - 1]);
  if (whole) return { t: time, y: values, gaps: 0, doubled: 0 };
  const t = new Float64Array(time.length), y = new Float64Array(time.length);
  let count = 0, gaps = 0, doubled = 0, good = true;
  for (let i = 0; i < time.length; i++) {
    const now = Number.isFinite(time[i]) && Number.isFinite(values[i]);
    if (now && count && t[count - 1] === time[i]) { count -= 1; doubled += 1; }
    if (now) { [t[count], y[count]] = [time[i], values[i]]; count += 1; }
    if (good && !now) gaps += 1;
    good = now;
  }
  return { t: t.subarray(0, count), y: y.subarray(0, count), gaps, doubled };
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
