/* The best linear predictor of a band, like couplant.design.predictor:

    minimise    Σ_i W_i |P(ω_i) - exp(jω_i κ)|² + σ² Σ_l h_l²,   P(ω) = Σ_l h_l exp(-jωl), ω in rad per macro step
    subject to  Σ_l h_l (-l)^i = κ^i,  i = 0..d      exact on polynomials of degree d
                |P(ω)| ≤ b(ω)                        above the band up to Nyquist

   by Lawson's update: multipliers of the bounds, a linear system for each of them, then μ_j ← μ_j (|P_j|/b_j)^1.5. */

import { largest, total } from "../analysis/sums.js";
import { dot, linspace, response, solve, waves } from "./linear.js";

const MOST_TAPS = 64;
const MOST_ITERATIONS = 400;
const TOLERANCE = 2e-3;
const LARGEST = 1e6;
const GAIN_POINTS = 2048;

/* problem: band, weight, boundAt, bound (arrays, ω in rad per macro step), m, degree, noise; `horizon` is κ [steps].
   Returns h (newest value first), horizon, objective, violation (max |P|/b - 1), iterations. */
export function designPredictor(problem, horizon) {
  const { m, degree } = problem;
  if (!(m >= 1 && m <= MOST_TAPS)) throw new RangeError(`m = ${m}, allowed 1 to ${MOST_TAPS}`);
  if (!(degree >= -1 && degree < m)) throw new RangeError(`degree = ${degree}, allowed 0 to m - 1 = ${m - 1}`);
  const equations = new Equations(problem, horizon);
  if (horizon === 0) return equations.result(Float64Array.from({ length: m }, (_, l) => (l ? 0 : 1)), 0);
  const free = equations.solve(new Float64Array(problem.bound.length));
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
    const h = equations.solve(multipliers), ratio = equations.ratio(h);
    const now = { excess: Math.max(largest(ratio) - 1, 0), cost: equations.objective(h) };
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

/* Normal equations on a grid; the matrices of |P|² are Toeplitz in cos((l - k)ω). */
class Equations {
  constructor(problem, horizon) {
    const { band, weight, boundAt, bound, m, noise } = problem, lags = Array.from({ length: m }, (_, l) => l);
    this.problem = problem;
    this.horizon = horizon;
    this.cosines = lags.map((lag) => Float64Array.from(boundAt, (omega) => Math.cos(lag * omega)));
    this.inverse = Float64Array.from(bound, (largestGain) => 1 / (largestGain * largestGain));
    this.quadratic = waves(lags, band, weight);
    this.quadratic[0] += noise * noise;
    this.linear = waves(lags.map((lag) => lag + horizon), band, weight);
    this.constant = total(weight);
    this.rows = exactness(m, problem.degree, horizon);
    const n = m + this.rows.length;
    this.matrix = new Float64Array(n * n);
    this.column = new Float64Array(m);
    this.right = new Float64Array(n);
    this.correlated = new Float64Array(m);
    this.scaled = new Float64Array(bound.length);
    this.ratios = new Float64Array(bound.length);
  }

  /* h for fixed multipliers of |P|²/b² ≤ 1; the next call overwrites it. */
  solve(multipliers) {
    const { problem: { m }, rows, matrix, right, column, scaled } = this, n = m + rows.length;
    for (let j = 0; j < scaled.length; j++) scaled[j] = multipliers[j] * this.inverse[j];
    for (let l = 0; l < m; l++) column[l] = this.quadratic[l] + dot(this.cosines[l], scaled);
    matrix.fill(0);
    for (let r = 0; r < m; r++) {
      for (let c = 0; c < m; c++) matrix[r * n + c] = column[Math.abs(r - c)];
      matrix[r * n + r] += 1e-13;
    }
    rows.forEach(({ powers, value }, i) => {
      for (let l = 0; l < m; l++) matrix[l * n + m + i] = matrix[(m + i) * n + l] = powers[l];
      right[m + i] = value;
    });
    right.set(this.linear);
    return solve(matrix, right).subarray(0, m);
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

  objective(h) {
    return Math.max(dot(this.correlation(h), this.quadratic) - 2 * dot(h, this.linear) + this.constant, 0);
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

  /* The predictor, its error calculated without cancellation. */
  result(h, iterations) {
    const { band, weight, noise } = this.problem, { horizon } = this;
    const error = total(band, (omega, i) => {
      const [real, imaginary] = response(h, omega);
      return weight[i] * ((real - Math.cos(omega * horizon)) ** 2 + (imaginary - Math.sin(omega * horizon)) ** 2);
    });
    const objective = error + noise * noise * noiseGain(h);
    return { h: h.slice(), horizon, objective, violation: largest(this.ratio(h)) - 1, iterations };
  }
}

/* Rows of Σ h_l ((-l - c)/s)^i = ((κ - c)/s)^i: centred and scaled, the same conditions. */
function exactness(m, degree, horizon) {
  const centre = -(m - 1) / 2, scale = Math.max(1, (m - 1) / 2);
  return Array.from({ length: degree + 1 }, (_, i) => ({
    powers: Float64Array.from({ length: m }, (_, l) => ((-l - centre) / scale) ** i),
    value: ((horizon - centre) / scale) ** i,
  }));
}
