/* What a recording tells of phasors, as couplant.analysis.phasor, in whose place this stands in the page. */

import { dot, eliminate, substitute } from "../design/linear.js";
import { powerOfTwo } from "./fourier.js";
import { median } from "./resample.js";
import { largest, total } from "./sums.js";

const SHORTEST = 16;
const STILL = 1e-9;
const TINY = 2.2250738585072014e-308;

export function strongest_line(value) {
  const n = value.length, mean = total(value) / n, wave = value.map((v) => v - mean);
  if (n < SHORTEST || !(largest(wave) > STILL * largest(value))) return null;
  const size = 2 ** Math.ceil(Math.log2(n)), re = new Float64Array(size), im = new Float64Array(size);
  for (let i = 0; i < n; i++) re[i] = wave[i] * hann(i, n);
  powerOfTwo(re, im);
  const power = (k) => re[k] ** 2 + im[k] ** 2;
  let place = 1;
  for (let k = 2; k < size / 2; k++) if (power(k) > power(place)) place = k;
  const [below, there, above] = [-1, 0, 1].map((i) => Math.log(Math.max(power(place + i), 1e-300)));
  const bend = below - 2 * there + above;
  return (place + (bend < 0 ? (0.5 * (below - above)) / bend : 0)) / size;
}

const hann = (i, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (n - 1));

export function turns_between(value, turns, stretch) {
  const mean = total(value) / value.length, between = [];
  let before = null;
  for (let first = 0; first + stretch <= value.length; first += stretch) {
    let re = 0, im = 0;
    for (let i = 0; i < stretch; i++) {
      const angle = -2 * Math.PI * turns * (first + i), weighted = (value[first + i] - mean) * hann(i, stretch);
      re += weighted * Math.cos(angle);
      im += weighted * Math.sin(angle);
    }
    if (before) between.push(Math.atan2(im * before.re - re * before.im, re * before.re + im * before.im));
    before = { re, im };
  }
  return median(Float64Array.from(between)) / (2 * Math.PI * stretch);
}

export function fitted_waves(value, turns, count, stretch) {
  const columns = wavesOf(turns, count, stretch), n = columns.length;
  const matrix = Float64Array.from({ length: n * n }, (_, i) => dot(columns[Math.floor(i / n)], columns[i % n]));
  const exchanged = eliminate(matrix, n), lefts = [], shares = [], powers = columns.slice(0, count).map(() => []);
  for (let first = 0; first + stretch <= value.length; first += stretch) {
    const piece = value.slice(first, first + stretch), mean = total(piece) / stretch;
    for (let i = 0; i < stretch; i++) piece[i] -= mean;
    const whole = Math.max(dot(piece, piece) / (stretch - 1), TINY);
    const parts = substitute(matrix, exchanged, Float64Array.from(columns, (one) => dot(one, piece)));
    columns.forEach((one, c) => { for (let i = 0; i < stretch; i++) piece[i] -= parts[c] * one[i]; });
    const left = dot(piece, piece) / (stretch - n);
    lefts.push(left);
    shares.push(1 - left / whole);
    powers.forEach((each, i) => each.push(parts[1 + i] ** 2 + parts[1 + count + i] ** 2));
  }
  const middle = (values) => median(Float64Array.from(values));
  return [middle(shares), (4 * middle(lefts)) / stretch, powers.map(middle)];
}

/* A constant, cosines and sines of the fundamental and its odd harmonics over a stretch. */
function wavesOf(turns, count, stretch) {
  const wave = (of) => (_, i) => Float64Array.from({ length: stretch }, (_, n) => of(2 * Math.PI * turns * n * (2 * i + 1)));
  const all = (of) => Array.from({ length: count }, wave(of));
  return [new Float64Array(stretch).fill(1), ...all(Math.cos), ...all(Math.sin)];
}
