/* Small dense linear algebra: systems of equations, grids, sums of waves. Matrices are rows one after another. */

import { total } from "../analysis/sums.js";

/* Solves matrix · x = right by elimination with partial pivoting, as LAPACK does; both are overwritten, right by x. */
export function solve(matrix, right) {
  const n = right.length;
  for (let c = 0; c < n; c++) {
    swap(matrix, right, c, pivot(matrix, n, c));
    for (let r = c + 1; r < n; r++) {
      const share = matrix[r * n + c] / matrix[c * n + c];
      if (share === 0) continue;
      for (let j = c + 1; j < n; j++) matrix[r * n + j] -= share * matrix[c * n + j];
      right[r] -= share * right[c];
    }
  }
  for (let r = n - 1; r >= 0; r--) {
    let sum = right[r];
    for (let j = r + 1; j < n; j++) sum -= matrix[r * n + j] * right[j];
    right[r] = sum / matrix[r * n + r];
  }
  return right;
}

function pivot(matrix, n, c) {
  let found = c;
  for (let r = c + 1; r < n; r++) if (Math.abs(matrix[r * n + c]) > Math.abs(matrix[found * n + c])) found = r;
  if (!(Math.abs(matrix[found * n + c]) > 0)) throw new RangeError("the equations have no single solution");
  return found;
}

function swap(matrix, right, one, other) {
  if (one === other) return;
  const n = right.length;
  for (let j = 0; j < n; j++) {
    const value = matrix[one * n + j];
    matrix[one * n + j] = matrix[other * n + j];
    matrix[other * n + j] = value;
  }
  const value = right[one];
  right[one] = right[other];
  right[other] = value;
}

/* Four sums at a time: one would wait for each addition. */
export function dot(one, other) {
  const n = one.length, whole = n - (n % 4);
  let a = 0, b = 0, c = 0, d = 0;
  for (let i = 0; i < whole; i += 4) {
    a += one[i] * other[i];
    b += one[i + 1] * other[i + 1];
    c += one[i + 2] * other[i + 2];
    d += one[i + 3] * other[i + 3];
  }
  for (let i = whole; i < n; i++) a += one[i] * other[i];
  return a + b + (c + d);
}

/* Values at equal distances, both ends among them. */
export function linspace(from, to, count) {
  const step = (to - from) / (count - 1);
  return Float64Array.from({ length: count }, (_, i) => (i === count - 1 ? to : i * step + from));
}

/* Σ_i weight_i cos(lag ω_i), one for each lag. */
export function waves(lags, omega, weight) {
  return Float64Array.from(lags, (lag) => total(omega, (w, i) => weight[i] * Math.cos(lag * w)));
}

/* P(ω) = Σ_l h_l exp(-jωl) as [real, imaginary], by Horner's rule. */
export function response(h, omega) {
  const cos = Math.cos(omega), sin = -Math.sin(omega);
  let real = 0, imaginary = 0;
  for (let l = h.length - 1; l >= 0; l--) {
    const turned = real * cos - imaginary * sin + h[l];
    imaginary = real * sin + imaginary * cos;
    real = turned;
  }
  return [real, imaginary];
}
