/* The discrete Fourier transform of any length: Bluestein's, on top of one for powers of two. */

/* Transforms re and im, arrays of a power of two, in place; X_k = sum x_n exp(-2πi k n / N). */
export function powerOfTwo(re, im) {
  const n = re.length;
  reversed(re, im);
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2;
    for (let k = 0; k < half; k++) {
      const c = Math.cos((-2 * Math.PI * k) / size), s = Math.sin((-2 * Math.PI * k) / size);
      for (let i = k; i < n; i += size) {
        const j = i + half, a = re[j] * c - im[j] * s, b = re[j] * s + im[j] * c;
        re[j] = re[i] - a;
        im[j] = im[i] - b;
        re[i] += a;
        im[i] += b;
      }
    }
  }
}

function reversed(re, im) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
}

/* exp(-πi n²/N) for n = 0 to N - 1; n² mod 2N keeps the angle exact. */
function chirp(n) {
  const c = new Float64Array(n), s = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const angle = (-Math.PI * ((i * i) % (2 * n))) / n;
    c[i] = Math.cos(angle);
    s[i] = Math.sin(angle);
  }
  return [c, s];
}

/* Returns a function from real values of this length to |X_k|² for k = 0 to floor(N/2). */
export function powers(length) {
  let size = 1;
  while (size < 2 * length) size *= 2;
  const [c, s] = chirp(length);
  const kernel = [new Float64Array(size), new Float64Array(size)];
  for (let i = 0; i < length; i++) {
    kernel[0][i] = kernel[0][(size - i) % size] = c[i];
    kernel[1][i] = kernel[1][(size - i) % size] = -s[i];
  }
  powerOfTwo(...kernel);
  const re = new Float64Array(size), im = new Float64Array(size);
  return (values) => {
    [re, im].forEach((part) => part.fill(0, length));
    for (let i = 0; i < length; i++) [re[i], im[i]] = [values[i] * c[i], values[i] * s[i]];
    powerOfTwo(re, im);
    for (let i = 0; i < size; i++) {
      const a = re[i] * kernel[0][i] - im[i] * kernel[1][i];
      im[i] = -(re[i] * kernel[1][i] + im[i] * kernel[0][i]);
      re[i] = a;
    }
    powerOfTwo(re, im);
    return Float64Array.from({ length: (length >> 1) + 1 }, (_, k) => (re[k] / size) ** 2 + (im[k] / size) ** 2);
  };
}
