/* Whether a coupled run grows, as couplant.cosim.judgement.metrics and couplant.cosim.judgement.verdict tell it.

   Signals are arrays of one length, values at the macro points `time` [s]. */

import { total } from "./sums.js";

const WINDOW = 5;
const FEWEST = 4;
const MOST = 10;
const CERTAIN = 20;
const DISCERNED = 1.01;
const VISIBLE = 1e-9;
const BORDERLINE_GROWTH = 1.02;

/* Returns the rms over the last 5 s divided by that over the 5 s before; null where that tells nothing. */
export function growth(time, signals) {
  const end = time[time.length - 1], slack = 1e-6 * WINDOW;
  if (end - time[0] < 2 * WINDOW - slack) return null;
  const last = [], before = [];
  time.forEach((t, i) => {
    if (end - t < WINDOW - slack) last.push(i);
    else if (end - t < 2 * WINDOW - slack) before.push(i);
  });
  const size = (places) => Math.sqrt(total(signals, (one) => total(places, (i) => one[i] ** 2)) /
    (places.length * signals.length));
  const earlier = size(before);
  return earlier > 0 ? size(last) / earlier : null;
}

/* Returns the growth in 5 s of what changes from one macro step to the next, 1 where no trend is certain. */
export function ripple(time, signals) {
  const rows = time.length > 1 ? Math.round(WINDOW / (time[1] - time[0])) : 0;
  const count = rows ? Math.min(MOST, Math.floor((time.length - 1) / rows) - 1) : 0;
  if (count < FEWEST || !signals.every((one) => one.every(Number.isFinite))) return 1;
  const sizes = signals.map((one) => Math.sqrt(total(one, (v) => v * v) / one.length));
  const changes = signals.filter((_, i) => sizes[i] > 0).map((one, i) => fourth(one, sizes.filter((s) => s > 0)[i]));
  if (!changes.length) return 1;
  const levels = Array.from({ length: count }, (_, window) => {
    const end = (one) => one.length - (count - window - 1) * rows;
    const parts = changes.map((one) => one.slice(end(one) - rows, end(one)));
    return Math.sqrt(total(parts, (part) => total(part, (v) => v * v)) / (rows * parts.length));
  });
  return Math.min(...levels) > VISIBLE ? trend(levels.map(Math.log)) : 1;
}

function fourth(values, size) {
  return Float64Array.from({ length: values.length - 4 }, (_, i) =>
    (values[i + 4] - 4 * values[i + 3] + 6 * values[i + 2] - 4 * values[i + 1] + values[i]) / size);
}

function trend(level) {
  const middle = (level.length - 1) / 2, mean = total(level) / level.length;
  const spread = total(level, (_, i) => (i - middle) ** 2);
  const slope = total(level, (v, i) => (i - middle) * v) / spread;
  const rest = total(level, (v, i) => (v - mean - slope * (i - middle)) ** 2);
  const deviation = Math.sqrt(rest / (level.length - 2) / spread);
  return Math.abs(slope) > CERTAIN * deviation ? Math.exp(slope) : 1;
}

/* Returns the largest growth over that of the reference: of what was sent, of the estimates, of a ripple in them. */
export function excess(time, sent, estimates, reference) {
  const grown = growth(time, sent);
  if (grown === null) return null;
  const given = growth(time, estimates), own = growth(time, reference);
  const allowed = own !== null && Number.isFinite(own) ? Math.max(1, own) : 1;
  const rippling = ripple(time, estimates) / Math.max(allowed, ripple(time, reference));
  const all = [Math.max(grown, given ?? grown) / allowed, rippling > DISCERNED ? rippling : 0];
  return Math.max(...all);
}

/* Returns unstable, borderline, stable, or unknown for a run that is too short to tell. */
export function verdict(time, sent, estimates, reference) {
  if (![...sent, ...estimates].every((one) => one.every(Number.isFinite))) return "unstable";
  const found = excess(time, sent, estimates, reference);
  if (found === null) return "unknown";
  if (found <= 1) return "stable";
  return found <= BORDERLINE_GROWTH ? "borderline" : "unstable";
}
