/* Small dense linear algebra: equations, reflections, grids, responses. Matrices are rows one after another. */

/* Solves matrix · x = right by elimination with partial pivoting, as LAPACK does; both are overwritten, right by x. */
export function solve(matrix, right) {
  return substitute(matrix, eliminate(matrix, right.length), right);
}

/* Overwrites a matrix with n rows by the factors of its elimination; returns which rows changed places. */
export function eliminate(matrix, n) {
  const exchanged = new Int32Array(n);
  for (let c = 0; c < n; c++) {
    exchanged[c] = pivot(matrix, n, c);
    swap(matrix, n, c, exchanged[c]);
    for (let r = c + 1; r < n; r++) {
      const share = (matrix[r * n + c] /= matrix[c * n + c]);
      if (share === 0) continue;
      for (let j = c + 1; j < n; j++) matrix[r * n + j] -= share * matrix[c * n + j];
    }
  }
  return exchanged;
}

/* Overwrites right by the solution of the equations whose factors these are. */
export function substitute(factors, exchanged, right) {
  const n = right.length;
  exchanged.forEach((other, c) => swap(right, 1, c, other));
  for (let r = 1; r < n; r++) for (let j = 0; j < r; j++) right[r] -= factors[r * n + j] * right[j];
  for (let r = n - 1; r >= 0; r--) {
    let sum = right[r];
    for (let j = r + 1; j < n; j++) sum -= factors[r * n + j] * right[j];
    right[r] = sum / factors[r * n + r];
  }
  return right;
}

/* Turns columns of equal length by reflections (Householder) so that the first `count` become the upper triangle R of
   A = Q R; the others become Qᵀ times themselves. Returns the reflections, for further columns. */
export function reflect(columns, count) {
  const mirrors = [];
  for (let c = 0; c < count; c++) {
    const below = columns[c].slice(c), size = Math.sqrt(dot(below, below));
    if (size === 0) continue;
    below[0] += below[0] < 0 ? -size : size;
    const mirror = { c, below, half: dot(below, below) / 2 };
    for (let j = c; j < columns.length; j++) reflectOne(columns[j], mirror);
    mirrors.push(mirror);
  }
  return mirrors;
}

/* Turns a column by one reflection. */
export function reflectOne(column, { c, below, half }) {
  const part = column.subarray(c), share = dot(below, part) / half;
  for (let i = 0; i < part.length; i++) part[i] -= share * below[i];
}

/* x with Rᵀ x = right; of each column of R only what is on and above its diagonal is read. */
export function forward(columns, right) {
  const x = new Float64Array(right.length);
  for (let j = 0; j < x.length; j++) {
    let sum = right[j];
    for (let i = 0; i < j; i++) sum -= columns[j][i] * x[i];
    x[j] = sum / columns[j][j];
  }
  return x;
}

function pivot(matrix, n, c) {
  let found = c;
  for (let r = c + 1; r < n; r++) if (Math.abs(matrix[r * n + c]) > Math.abs(matrix[found * n + c])) found = r;
  if (!(Math.abs(matrix[found * n + c]) > 0)) throw new RangeError("the equations have no single solution");
  return found;
}

/* Rows of `width` values change places. */
function swap(matrix, width, one, other) {
  if (one === other) return;
  for (let j = 0; j < width; j++) {
    const value = matrix[one * width + j];
    matrix[one * width + j] = matrix[other * width + j];
    matrix[other * width + j] = value;
  }
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
