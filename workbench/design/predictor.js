/* The best linear predictor of a band, like couplant.design.predictor:

    minimise    Σ_i W_i |P(ω_i) - exp(jω_i κ)|² + σ² Σ_l h_l²,   P(ω) = Σ_l h_l exp(-jωl), ω in rad per macro step
    subject to  Σ_l h_l (-l)^i = κ^i,  i = 0..d      exact on polynomials of degree d
                |P(ω)| ≤ b(ω)                        above the band up to Nyquist

   by Lawson's update: multipliers of the bounds, a linear system for each of them, then μ_j ← μ_j (|P_j|/b_j)^1.5. */

import { largest, total } from "../analysis/sums.js";
import { dot, eliminate, forward, linspace, reflect, reflectOne, response, substitute } from "./linear.js";

const MOST_TAPS = 64;
const MOST_ITERATIONS = 400;
const TOLERANCE = 2e-3;
const LARGEST = 1e6;
const LEAST_VARIANCE = 1e-13;
const GAIN_POINTS = 2048;

/* problem: band, weight, boundAt, bound (arrays, ω in rad per macro step), m, degree, noise; `horizon` is κ [steps];
   `shared`, a Map, has by `key` of the problem what all horizons and bounds share, by `bounded` besides predictors.
   Returns h (newest value first), horizon, objective, violation (max |P|/b - 1), iterations. */
export function designPredictor(problem, horizon) {
  const { m, degree } = problem;
  if (!(m >= 1 && m <= MOST_TAPS)) throw new RangeError(`m = ${m}, allowed 1 to ${MOST_TAPS}`);
  if (!(degree >= -1 && degree < m)) throw new RangeError(`degree = ${degree}, allowed 0 to m - 1 = ${m - 1}`);
  const { shared, key, bounded } = problem;
  const same = `${key} ${bounded} ${horizon}`; // of the two horizons the next latency has one too
  if (!shared.has(same)) shared.set(same, solved(problem, horizon));
  return shared.get(same);
}

function solved(problem, horizon) {
  const { m } = problem, equations = new Equations(problem, horizon);
  if (horizon === 0) return equations.result(Float64Array.from({ length: m }, (_, l) => (l ? 0 : 1)), 0);
  const { h: free } = equations.solve(new Float64Array(problem.bound.length));
  if (largest(equations.ratio(free)) <= 1) return equations.result(free, 0);
  return lawson(equations);
}

/* Largest |P| from 0 to Nyquist. */
export function peakGain(h) {
  return largest(linspace(0, Math.PI, GAIN_POINTS).map((omega) => Math.hypot(...response(h, omega))));
}

/* Σh²: variance of white noise after a predictor over before. */
export function noiseGain(h) {
  return h.reduce((sum, weight) => sum + weight * weight, 0);
}

function lawson(equations) {
  const count = equations.inverse.length, multipliers = new Float64Array(count).fill(1e-3 / count);
  let best = { excess: Infinity, cost: Infinity, h: null }, iteration = 0;
  while (iteration < MOST_ITERATIONS) {
    iteration++;
    const { h, cost } = equations.solve(multipliers), ratio = equations.ratio(h);
    const now = { excess: Math.max(largest(ratio) - 1, 0), cost };
    if (better(now, best)) best = { ...now, h: h.slice() };
    if (now.excess < TOLERANCE && complementary(multipliers, ratio, now.cost)) break;
    for (let j = 0; j < count; j++) multipliers[j] = Math.min(multipliers[j] * ratio[j] * Math.sqrt(ratio[j]), LARGEST);
  }
  return equations.result(best.h, iteration);
}

/* Meeting the bound comes first, then the lower cost. */
function better(now, old) {
  if (Math.max(now.excess, old.excess) <= TOLERANCE) return now.cost < old.cost;
  return now.excess < old.excess;
}

/* Whether multipliers are left only where the gain touches its bound: the duality gap. */
function complementary(multipliers, ratio, cost) {
  let gap = 0;
  for (let j = 0; j < ratio.length; j++) gap += multipliers[j] * (1 - ratio[j] * ratio[j]);
  return gap <= 2e-3 * cost + 1e-14;
}

/* The problem in variables y in which its error is a sum of squares: h = start + T y, error = |y - t|² + rest.

   Exactness leaves h = start + F u. The rows of the error, each times the root of its weight, give F u by QR as Q R u,
   and y = R u. Normal equations would square the condition number: of narrow bands rounding would decide about h. */
class Equations {
  constructor(problem, horizon) {
    const { bound, m, degree, shared, key } = problem, n = m - degree - 1;
    if (!shared.has(key)) shared.set(key, basis(problem));
    this.problem = problem;
    this.horizon = horizon;
    Object.assign(this, shared.get(key)); // cosines, T by rows and by columns
    this.inverse = Float64Array.from(bound, (largestGain) => 1 / (largestGain * largestGain));
    this.lagged = new Float64Array(2 * m - 1);
    this.bounds = this.cosines.map((_, l) => this.lagged.subarray(m - 1 - l, 2 * m - 1 - l));
    this.matrix = new Float64Array(n * n);
    this.product = new Float64Array(m);
    this.h = new Float64Array(m);
    this.correlated = new Float64Array(m);
    this.scaled = new Float64Array(bound.length);
    this.ratios = new Float64Array(bound.length);
    this.start = exactness(m, degree, horizon).start;
    const met = combined(this.errors, this.start), left = wave(problem, -horizon).map((value, i) => value - met[i]);
    for (const mirror of this.mirrors) reflectOne(left, mirror);
    this.target = left.slice(0, n); // t
    this.rest = dot(left.subarray(n), left.subarray(n));
  }

  /* h for fixed multipliers of |P|²/b² ≤ 1, and its error; the next call overwrites h. */
  solve(multipliers) {
    const { target, columns, matrix } = this, n = target.length, y = new Float64Array(n);
    this.bind(multipliers);
    const exchanged = eliminate(matrix, n);
    for (let pass = 0; pass < 2; pass++) { // the second corrects by what is left
      const bound = this.bounded(this.weights(y));
      const change = target.map((value, i) => value - y[i] - dot(columns[i], bound));
      substitute(matrix, exchanged, change).forEach((value, i) => (y[i] += value));
    }
    const cost = target.reduce((sum, value, i) => sum + (y[i] - value) ** 2, this.rest);
    return { h: this.weights(y), cost };
  }

  /* Fills the matrix 1 + Tᵀ B T, B that of the bounds: Toeplitz in cos((l - k)ω). */
  bind(multipliers) {
    const { problem: { m }, scaled, lagged, matrix, columns } = this, n = columns.length;
    for (let j = 0; j < scaled.length; j++) scaled[j] = multipliers[j] * this.inverse[j];
    for (let l = 0; l < m; l++) lagged[m - 1 - l] = lagged[m - 1 + l] = dot(this.cosines[l], scaled);
    for (let c = 0; c < n; c++) {
      const bound = this.bounded(columns[c]);
      for (let r = 0; r <= c; r++) matrix[r * n + c] = matrix[c * n + r] = dot(columns[r], bound);
      matrix[c * n + c] += 1;
    }
  }

  /* B times a vector; the next call overwrites it. */
  bounded(vector) {
    for (let l = 0; l < vector.length; l++) this.product[l] = dot(this.bounds[l], vector);
    return this.product;
  }

  /* h = start + T y; the next call overwrites it. */
  weights(y) {
    for (let l = 0; l < this.h.length; l++) this.h[l] = this.start[l] + dot(this.rows[l], y);
    return this.h;
  }

  /* |P|/b where the gain is bounded; the next call overwrites it. */
  ratio(h) {
    const { inverse, ratios } = this, r = this.correlation(h);
    ratios.fill(0);
    for (let l = 0; l < r.length; l++) {
      const share = r[l], cosine = this.cosines[l];
      for (let j = 0; j < ratios.length; j++) ratios[j] += share * cosine[j];
    }
    for (let j = 0; j < ratios.length; j++) ratios[j] = Math.sqrt(Math.max(ratios[j], 0) * inverse[j]);
    return ratios;
  }

  /* r with |P(ω)|² = Σ_l r_l cos(lω); the next call overwrites it. */
  correlation(h) {
    for (let lag = 0; lag < h.length; lag++) {
      let sum = 0;
      for (let l = lag; l < h.length; l++) sum += h[l] * h[l - lag];
      this.correlated[lag] = lag ? 2 * sum : sum;
    }
    return this.correlated;
  }

  /* The predictor; its error is worked out where it is asked for. */
  result(h, iterations) {
    const { problem, horizon } = this, violation = largest(this.ratio(h)) - 1;
    const found = { h: h.slice(), horizon, violation, iterations };
    return Object.defineProperty(found, "objective", { get: () => objective(problem, found.h, horizon) });
  }
}

/* The error of weights over the band, without cancellation, and of noise. */
function objective({ band, weight, noise }, h, horizon) {
  const error = total(band, (omega, i) => {
    const [real, imaginary] = response(h, omega);
    return weight[i] * ((real - Math.cos(omega * horizon)) ** 2 + (imaginary - Math.sin(omega * horizon)) ** 2);
  });
  return error + noise * noise * noiseGain(h);
}

/* What all horizons and bounds share: cosines of the bounds, E, the reflections of E F and T, by rows and by columns. */
function basis(problem) {
  const { boundAt, m, degree, noise, band } = problem, lags = Array.from({ length: m }, (_, l) => l);
  const cosines = lags.map((lag) => Float64Array.from(boundAt, (omega) => Math.cos(lag * omega)));
  const errors = lags.map((lag) => wave(problem, lag)), { free } = exactness(m, degree, 0);
  errors.forEach((column, l) => (column[2 * band.length + l] = Math.sqrt(noise * noise + LEAST_VARIANCE)));
  const turned = Array.from({ length: m - degree - 1 }, (_, i) => combined(errors, free.map((row) => row[i])));
  const mirrors = reflect(turned, turned.length), rows = free.map((row) => forward(turned, row));
  return { cosines, errors, mirrors, rows, columns: turned.map((_, i) => Float64Array.from(rows, (row) => row[i])) };
}

/* E, by columns of a lag, and e, that of -κ: the error to be minimised, noise included, is |E h - e|². */
function wave({ band, weight, m }, lag) {
  const count = band.length, column = new Float64Array(2 * count + m);
  for (let i = 0; i < count; i++) {
    const root = Math.sqrt(weight[i]);
    column[i] = root * Math.cos(lag * band[i]);
    column[count + i] = -root * Math.sin(lag * band[i]);
  }
  return column;
}

/* start and F (by rows) with h = start + F u exact on polynomials: Σ h_l ((-l - c)/s)^i = ((κ - c)/s)^i, centred and
   scaled, the same conditions. */
function exactness(m, degree, horizon) {
  const centre = -(m - 1) / 2, scale = Math.max(1, (m - 1) / 2), conditions = degree + 1;
  const power = (value, i) => ((value - centre) / scale) ** i;
  const powers = Array.from({ length: conditions }, (_, i) => Float64Array.from({ length: m }, (_, l) => power(-l, i)));
  const turned = Array.from({ length: m }, (_, l) => Float64Array.from({ length: m }, (_, i) => (i === l ? 1 : 0)));
  reflect([...powers, ...turned], conditions);
  const met = forward(powers, powers.map((_, i) => power(horizon, i)));
  return {
    start: Float64Array.from(turned, (row) => dot(row.subarray(0, conditions), met)),
    free: turned.map((row) => row.subarray(conditions)),
  };
}

/* Columns times factors, added up. */
function combined(columns, factors) {
  const found = new Float64Array(columns[0].length);
  columns.forEach((column, l) => {
    for (let i = 0; i < found.length; i++) found[i] += factors[l] * column[i];
  });
  return found;
}
