/* Weights learnt from a recording, like couplant.design.neural.ridge with its bound:

    minimise   Σ (y_{n+κ} - y_n - Σ_l w_l (y_{n-l} - y_n))² + penalty · N · mean square difference · Σ (w_l - v_l)²

   from weights v of a design on; h_0 = 1 - Σ w_l, h_l = w_l keep constants. Then they are drawn towards v until their
   gain keeps the bound. Number of values and penalty are those with the least error on quarters that were left out. */

import { total } from "../analysis/sums.js";
import { designFor } from "./from_recording.js";
import { dot, linspace, solve } from "./linear.js";
import { design } from "./optimal.js";

const TAPS = [2, 3, 4, 6, 8, 10, 14, 20, 30, 40];
const PENALTIES = [...Array.from({ length: 15 }, (_, i) => 10 ** (0.5 * i - 6)), 1e6];
const BLOCKS = 4;
const LEAST = 20;
const LARGEST_GAIN = { event: 10, step: 6 };
const FEWER = 14;
const FREQUENCIES = 256;
const ROUNDING = 1e-20;
const STRETCH = 4096;

/* Returns { a, A, m, penalty, error } of a recording (from_recording.js) at the latency `k` [macro steps], null where
   it is too short; yields now and then. `known` is its design in event timing, if it is there already. */
export function* learn(recording, k, timing, known = null) {
  const parts = folds(recording.value), horizons = [k, k + 1], last = k + 1;
  const shortest = Math.min(...parts.map((one) => one.length));
  const taps = TAPS.filter((m) => m + last + LEAST <= shortest);
  if (!taps.length) return null;
  const bound = new GainBound(recording, k, timing, known);
  let best = { error: Infinity };
  for (const m of taps) {
    const errors = yield* scores(parts, m, horizons, bound);
    errors.forEach((error, i) => {
      if (error < best.error) best = { m, penalty: PENALTIES[i], error };
    });
  }
  const ends = [];
  for (const horizon of horizons) {
    const all = yield* sampled(recording.value, best.m, horizon, bound);
    ends.push(weights([all], best.m, horizon, best.penalty, bound));
  }
  const [near, far] = ends;
  return { ...best, a: Array.from(near), A: Array.from(far, (weight, l) => weight - near[l]) };
}

/* Parts of nearly the same length, the longer ones first. */
function folds(value) {
  const size = Math.floor(value.length / BLOCKS), more = value.length % BLOCKS;
  const start = (i) => i * size + Math.min(i, more);
  return Array.from({ length: BLOCKS }, (_, i) => value.subarray(start(i), start(i + 1)));
}

/* The error on what was left out over that of ZOH, for each penalty. */
function* scores(parts, m, horizons, bound) {
  const errors = new Float64Array(PENALTIES.length);
  let hold = 0;
  for (const horizon of horizons) {
    const samples = [];
    for (const part of parts) samples.push(yield* sampled(part, m, horizon, bound));
    for (const one of samples) {
      const rest = samples.filter((other) => other !== one);
      const tried = PENALTIES.map((penalty) => weights(rest, m, horizon, penalty, bound));
      const found = yield* one.errors(tried);
      found.forEach((error, i) => { errors[i] += error; });
      hold += one.hold;
    }
  }
  return errors.map((error) => (hold > 0 ? Math.sqrt(error / hold) : 0));
}

/* Weights of a predictor, newest first, from samples together; they add up to 1. */
function weights(samples, m, horizon, penalty, bound) {
  const origin = bound.origin(m, horizon), n = m - 1;
  if (horizon === 0) return zoh(m);
  const sum = (read) => total(samples, read), count = sum((one) => one.count);
  const squares = sum((one) => total(one.right, (_, i) => one.gram[i * n + i]));
  const stiff = penalty * count * (squares / (count * n) || 1);
  const matrix = Float64Array.from({ length: n * n }, (_, at) => sum((one) => one.gram[at]));
  for (let i = 0; i < n; i++) matrix[i * n + i] += stiff;
  const change = solve(matrix, Float64Array.from({ length: n }, (_, i) => sum((one) => one.right[i])));
  const h = Float64Array.from({ length: m }, (_, l) => (l ? origin[l] + change[l - 1] : 0));
  h[0] = 1 - total(h);
  return bound.keep(h, origin);
}

const zoh = (m) => Float64Array.from({ length: m }, (_, l) => (l ? 0 : 1));

/* Samples of a signal with their products, in stretches: long recordings would fill the memory. */
function* sampled(signal, m, horizon, bound) {
  const one = new Samples(signal, m, horizon), origin = bound.origin(m, horizon);
  for (let from = 0; from < one.count; from += STRETCH) {
    one.add(one.stretch(from), origin);
    yield;
  }
  return one;
}

/* Inputs and what is to be predicted, both as differences to the newest value. */
class Samples {
  constructor(signal, m, horizon) {
    const n = m - 1, count = signal.length - horizon - n;
    Object.assign(this, { signal, m, horizon, count, hold: 0 });
    this.gram = new Float64Array(n * n);
    this.right = new Float64Array(n);
  }

  stretch(from) {
    const { signal, m, horizon } = this, first = from + m - 1, size = Math.min(STRETCH, this.count - from);
    const newest = signal.subarray(first, first + size);
    const away = (by) => newest.map((v, i) => signal[first + i + by] - v);
    return { target: away(horizon), columns: Array.from({ length: m - 1 }, (_, i) => away(-1 - i)) };
  }

  /* Adds the products of a stretch, and of what the origin leaves of it. */
  add(stretch, origin) {
    const { target, columns } = stretch, n = columns.length, left = residual(stretch, origin);
    columns.forEach((one, r) => {
      this.right[r] += dot(one, left);
      for (let c = 0; c <= r; c++) this.gram[r * n + c] = this.gram[c * n + r] += dot(one, columns[c]);
    });
    this.hold += dot(target, target);
  }

  /* Squared errors of some weights. */
  *errors(tried) {
    const found = new Float64Array(tried.length);
    for (let from = 0; from < this.count; from += STRETCH) {
      const stretch = this.stretch(from);
      tried.forEach((h, i) => {
        const left = residual(stretch, h);
        found[i] += dot(left, left);
      });
      yield;
    }
    return found;
  }
}

/* What weights leave of the target. */
function residual({ target, columns }, h) {
  const left = target.slice();
  columns.forEach((one, l) => {
    const weight = h[l + 1];
    if (weight) for (let i = 0; i < left.length; i++) left[i] -= weight * one[i];
  });
  return left;
}

/* The largest gain of learnt weights, where no loop is known, and the designs that they start from. */
class GainBound {
  constructor(recording, k, timing, known) {
    this.most = new Float64Array(FREQUENCIES).fill(LARGEST_GAIN[timing]);
    this.designed = new Map();
    this.origins = new Map();
    if (k === 0) return;
    const one = known ?? designFor(recording, k, "event"), { task } = one;
    const room = LARGEST_GAIN[timing] / task.peak;
    this.most = linspace(0, Math.PI, FREQUENCIES).map((turn, i) => {
      const omega = turn / recording.macroStep;
      return Math.max(this.most[i], omega > task.band[1] ? room * task.bound(omega) : 1);
    });
    const every = FEWER < task.m ? [one, design(task.changed({ m: FEWER }))] : [one];
    [k, k + 1].forEach((horizon, i) => this.designed.set(horizon, every.map(({ predictors }) => predictors[i].h)));
  }

  /* Weights that learning starts from: a design of at most m values that keeps the bound, else ZOH. */
  origin(m, horizon) {
    const key = `${m} ${horizon}`;
    if (!this.origins.has(key)) this.origins.set(key, this.begun(m, horizon));
    return this.origins.get(key);
  }

  begun(m, horizon) {
    const known = this.designed.get(horizon)?.find((one) => one.length <= m);
    if (!known) return zoh(m);
    const found = Float64Array.from({ length: m }, (_, l) => known[l] ?? 0), [real, imaginary] = responses(found);
    return this.most.every((most, i) => Math.hypot(real[i], imaginary[i]) <= most) ? found : zoh(m);
  }

  /* Weights h drawn towards their origin until they keep the bound: a quadratic at each frequency, its larger root. */
  keep(h, origin) {
    const change = h.map((weight, l) => weight - origin[l]);
    const [re, im] = responses(origin), [real, imaginary] = responses(change);
    const a = real.map((v, i) => v * v + imaginary[i] * imaginary[i]);
    const least = ROUNDING * a.reduce((one, other) => Math.max(one, other), 0);
    let share = 1;
    for (let i = 0; i < FREQUENCIES; i++) {
      if (!(a[i] > least)) continue;
      const b = re[i] * real[i] + im[i] * imaginary[i];
      const c = Math.min(re[i] * re[i] + im[i] * im[i] - this.most[i] * this.most[i], 0);
      share = Math.min(share, (Math.sqrt(b * b - a[i] * c) - b) / a[i]);
    }
    return origin.map((weight, l) => weight + share * change[l]);
  }
}

const LONGEST = TAPS[TAPS.length - 1];
const TURNS = Array.from(linspace(0, Math.PI, FREQUENCIES), (omega) => [
  Float64Array.from({ length: LONGEST }, (_, l) => Math.cos(omega * l)),
  Float64Array.from({ length: LONGEST }, (_, l) => -Math.sin(omega * l)),
]);

/* Real and imaginary parts of Σ_l h_l e^{-jωl}, at frequencies from 0 to Nyquist. */
function responses(h) {
  return [0, 1].map((part) => Float64Array.from(TURNS, (turn) => {
    let sum = 0;
    for (let l = 0; l < h.length; l++) sum += h[l] * turn[part][l];
    return sum;
  }));
}
