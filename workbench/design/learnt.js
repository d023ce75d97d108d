/* Weights learnt from a recording, like couplant.design.neural.ridge with its bound:

    minimise   Σ (y_{n+κ} - y_n - Σ_l w_l (y_{n-l} - y_n))² + penalty · N · mean square difference · Σ (w_l - v_l)²

   from weights v of a design on; h_0 = 1 - Σ w_l, h_l = w_l keep constants. Then they are drawn towards v until their
   gain keeps the bound. Number of values and penalty are those with the least error on quarters that were left out. */

import { largest, total } from "../analysis/sums.js";
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
const FARTHEST = 65; // macro steps from the newest value to a target, at most
const EXACT = 1e-9; // share of the squared changes from which on a squared error by sums has digits enough

/* Returns { a, A, m, penalty, error } of a recording (from_recording.js) at the latency `k` [macro steps], null where
   it is too short; yields now and then. `given` is its design in event timing, if it is there already. */
export function* learn(recording, k, timing, given = null) {
  const { whole, parts } = productsOf(recording), horizons = [k, k + 1], last = k + 1;
  const shortest = Math.min(...parts.map(({ signal }) => signal.length));
  const taps = TAPS.filter((m) => m + last + LEAST <= shortest);
  if (!taps.length) return null;
  const bound = new GainBound(recording, k, timing, given);
  let best = { error: Infinity };
  for (const m of taps) {
    const errors = yield* scores(parts, m, horizons, bound);
    errors.forEach((error, i) => {
      if (error < best.error) best = { m, penalty: PENALTIES[i], error };
    });
  }
  const ends = [];
  for (const horizon of horizons) {
    const start = bound.origin(best.m, horizon), sums = yield* whole.about(best.m, horizon, start.h);
    ends.push(weights(sums, start, horizon, best.penalty, bound));
  }
  const [near, far] = ends;
  return { ...best, a: Array.from(near), A: Array.from(far, (weight, l) => weight - near[l]) };
}

const known = new WeakMap(); // products of recordings: most of them are those of all latencies

/* Products of a recording and of its parts of nearly the same length, the longer ones first. */
function productsOf(recording) {
  if (!known.has(recording)) {
    const { value } = recording, size = Math.floor(value.length / BLOCKS), more = value.length % BLOCKS;
    const start = (i) => i * size + Math.min(i, more);
    const parts = Array.from({ length: BLOCKS }, (_, i) => new Products(value.subarray(start(i), start(i + 1))));
    known.set(recording, { whole: new Products(value), parts });
  }
  return known.get(recording);
}

/* The error on what was left out over that of ZOH, for each penalty. */
function* scores(parts, m, horizons, bound) {
  const errors = new Float64Array(PENALTIES.length);
  let hold = 0;
  for (const horizon of horizons) {
    const start = bound.origin(m, horizon), every = [];
    for (const part of parts) every.push(yield* part.of(m, horizon));
    for (const [i, one] of every.entries()) {
      const rest = besides(together(every.filter((other) => other !== one)), start.h);
      const tried = PENALTIES.map((penalty) => weights(rest, start, horizon, penalty, bound));
      let found = tried.map((h) => squaredError(one, h));
      // a difference of nearly equal sums is rounding: what is that small is worked out value by value
      if (!found.every((error) => error > EXACT * one.hold)) found = yield* parts[i].errors(m, horizon, tried);
      found.forEach((error, at) => { errors[at] += error; });
      hold += one.hold;
      yield;
    }
  }
  return errors.map((error) => (hold > 0 ? Math.sqrt(error / hold) : 0));
}

/* Weights of a predictor, newest first, from sums about where it starts; they add up to 1. */
function weights({ gram, right, count }, { h: origin, ...start }, horizon, penalty, bound) {
  const m = origin.length, n = m - 1;
  if (horizon === 0) return zoh(m);
  const squares = total(right, (_, i) => gram[i * n + i]);
  const stiff = penalty * count * (squares / (count * n) || 1), matrix = gram.slice();
  for (let i = 0; i < n; i++) matrix[i * n + i] += stiff;
  const change = solve(matrix, right.slice());
  const h = Float64Array.from({ length: m }, (_, l) => (l ? origin[l] + change[l - 1] : 0));
  h[0] = 1 - total(h);
  return bound.keep(h, { h: origin, ...start });
}

const zoh = (m) => Float64Array.from({ length: m }, (_, l) => (l ? 0 : 1));

/* Sums of some samples, added up. */
function together(every) {
  const sum = (name) => every.map((one) => one[name]).reduce((a, b) => a.map((v, i) => v + b[i]));
  return { gram: sum("gram"), right: sum("right"), count: total(every, ({ count }) => count) };
}

/* Sums for what the targets are besides what an origin predicts. */
function besides({ gram, right, count }, origin) {
  const n = right.length, rest = origin.subarray(1);
  return { gram, count, right: right.map((v, i) => v - dot(gram.subarray(i * n, i * n + n), rest)) };
}

/* Of weights, by sums: rounding is left in it. */
function squaredError({ gram, right, hold }, h) {
  const w = h.subarray(1), n = w.length;
  let square = 0;
  for (let i = 0; i < n; i++) square += w[i] * dot(gram.subarray(i * n, i * n + n), w);
  return hold - 2 * dot(w, right) + square;
}

/* Sums over the samples of a signal, in stretches: long recordings would fill the memory. Inputs and what is to be
   predicted are differences to the newest value. What most numbers of values and horizons share is added up once. */
class Products {
  constructor(signal) {
    const most = Math.max(...TAPS.filter((m, i) => i === 0 || m < signal.length));
    Object.assign(this, { signal, first: most - 1, targets: new Map(), gram: null });
    this.last = Math.max(this.first, signal.length - FARTHEST);
  }

  /* The sums { gram, right, hold, count } of m values and a horizon; yields now and then. */
  *of(m, horizon) {
    const { signal, first, last } = this, n = m - 1, end = signal.length - horizon;
    const gram = leading(yield* this.inputs(), first, n), target = yield* this.target(horizon);
    const right = target.right.slice(0, n), early = this.stretch(n, n, Math.min(first, end));
    const targets = this.away(horizon, n, Math.min(first, end));
    multiply(gram, early);
    multiply(gram, this.stretch(n, last, end));
    this.addProducts(right, n, targets);
    return { gram, right, hold: target.hold + dot(targets, targets), count: end - n };
  }

  /* The same about an origin, with targets value by value: of what is nearly predicted a difference would leave little. */
  *about(m, horizon, origin) {
    const sums = yield* this.of(m, horizon), right = new Float64Array(m - 1);
    for (const [from, to] of stretches(m - 1, this.signal.length - horizon)) {
      const left = this.residual(horizon, origin, from, to);
      this.addProducts(right, from, left);
      yield;
    }
    return { ...sums, right };
  }

  /* Products of inputs that all have. */
  *inputs() {
    if (this.gram) return this.gram;
    const gram = new Float64Array(this.first ** 2);
    for (const [from, to] of stretches(this.first, this.last)) {
      multiply(gram, this.stretch(this.first, from, to));
      yield;
    }
    this.gram = gram;
    return gram;
  }

  /* Products with the targets of a horizon that all have. */
  *target(horizon) {
    const right = new Float64Array(this.first);
    if (this.targets.has(horizon)) return this.targets.get(horizon);
    let hold = 0;
    for (const [from, to] of stretches(this.first, this.signal.length - horizon)) {
      const target = this.away(horizon, from, to);
      this.addProducts(right, from, target);
      hold += dot(target, target);
      yield;
    }
    return this.targets.set(horizon, { right, hold }).get(horizon);
  }

  /* How far the value some steps from it is from each newest value, from one place to another. */
  away(by, from, to, found = new Float64Array(Math.max(0, to - from))) {
    const { signal } = this;
    for (let i = 0; i < found.length; i++) found[i] = signal[from + i + by] - signal[from + i];
    return found;
  }

  /* The n inputs there. */
  stretch(n, from, to) {
    return Array.from({ length: n }, (_, i) => this.away(-1 - i, from, to));
  }

  /* Adds the products of inputs with what is there from one place on. */
  addProducts(right, from, other) {
    const one = new Float64Array(other.length);
    for (let r = 0; r < right.length; r++) right[r] += dot(this.away(-1 - r, from, from + one.length, one), other);
  }

  /* What weights leave of the targets. */
  residual(horizon, h, from, to) {
    const { signal } = this, left = this.away(horizon, from, to);
    for (let l = 1; l < h.length; l++) {
      const weight = h[l];
      if (weight) for (let i = 0; i < left.length; i++) left[i] -= weight * (signal[from + i - l] - signal[from + i]);
    }
    return left;
  }

  /* Squared errors of some weights. */
  *errors(m, horizon, tried) {
    const found = tried.map(() => 0);
    for (const [from, to] of stretches(m - 1, this.signal.length - horizon)) {
      tried.forEach((h, i) => {
        const left = this.residual(horizon, h, from, to);
        found[i] += dot(left, left);
      });
      yield;
    }
    return found;
  }
}

function* stretches(from, to) {
  for (let at = from; at < to; at += STRETCH) yield [at, Math.min(to, at + STRETCH)];
}

/* Adds the products of columns to a matrix. */
function multiply(gram, columns) {
  const n = columns.length;
  columns.forEach((one, r) => {
    for (let c = 0; c <= r; c++) gram[c * n + r] = gram[r * n + c] += dot(one, columns[c]);
  });
}

/* The first n rows and columns of a matrix with `size` of them. */
function leading(matrix, size, n) {
  return Float64Array.from({ length: n * n }, (_, at) => matrix[Math.floor(at / n) * size + (at % n)]);
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

  /* Weights that learning starts from, with their response { h, re, im }: a design of at most m values that keeps the
     bound, else ZOH. */
  origin(m, horizon) {
    const key = `${m} ${horizon}`;
    if (!this.origins.has(key)) this.origins.set(key, this.begun(m, horizon));
    return this.origins.get(key);
  }

  begun(m, horizon) {
    const designed = this.designed.get(horizon)?.find((one) => one.length <= m);
    const one = responding(designed ? Float64Array.from({ length: m }, (_, l) => designed[l] ?? 0) : zoh(m));
    return this.most.every((most, i) => Math.hypot(one.re[i], one.im[i]) <= most) ? one : responding(zoh(m));
  }

  /* Weights h drawn towards their origin until they keep the bound: a quadratic at each frequency, its larger root. */
  keep(h, { h: origin, re, im }) {
    const change = h.map((weight, l) => weight - origin[l]), { re: real, im: imaginary } = responding(change), { most } = this;
    const a = new Float64Array(FREQUENCIES);
    for (let i = 0; i < FREQUENCIES; i++) a[i] = real[i] * real[i] + imaginary[i] * imaginary[i];
    const least = ROUNDING * largest(a);
    let share = 1;
    for (let i = 0; i < FREQUENCIES; i++) {
      if (!(a[i] > least)) continue;
      const b = re[i] * real[i] + im[i] * imaginary[i], c = re[i] * re[i] + im[i] * im[i] - most[i] * most[i];
      share = Math.min(share, (Math.sqrt(b * b - a[i] * Math.min(c, 0)) - b) / a[i]);
    }
    return origin.map((weight, l) => weight + share * change[l]);
  }
}

const LONGEST = TAPS[TAPS.length - 1];
const TURNS = Array.from(linspace(0, Math.PI, FREQUENCIES), (omega) => [
  Float64Array.from({ length: LONGEST }, (_, l) => Math.cos(omega * l)),
  Float64Array.from({ length: LONGEST }, (_, l) => -Math.sin(omega * l)),
]);

/* Weights with real and imaginary parts of Σ_l h_l e^{-jωl}, at frequencies from 0 to Nyquist. */
function responding(h) {
  const [re, im] = [0, 1].map((part) => {
    const found = new Float64Array(FREQUENCIES);
    for (let i = 0; i < FREQUENCIES; i++) {
      const turn = TURNS[i][part];
      let sum = 0;
      for (let l = 0; l < h.length; l++) sum += h[l] * turn[l];
      found[i] = sum;
    }
    return found;
  });
  return { h, re, im };
}
