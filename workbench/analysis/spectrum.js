/* Power spectral density and bands of a signal, as couplant.analysis.signal.recording. */

import { powers } from "./fourier.js";
import { SHORTEST, median } from "./resample.js";
import { total } from "./sums.js";

const SEGMENT_STEPS = 16384;
const VALLEY = 2;
const USEFUL = 0.02;
const ENOUGH = 0.995;
const LOUD = 10;
const BREAK = 3;

/* Returns { omega [rad/s], power [(signal unit)² per rad/s], variance } by Welch's method with Hann windows. */
export function spectrum(value, macroStep) {
  const n = value.length, length = Math.min(SEGMENT_STEPS, Math.max(SHORTEST, Math.floor(n / 4)), n);
  const window = Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length));
  const transform = powers(length), sums = new Float64Array((length >> 1) + 1);
  const advance = length - (length >> 1), count = Math.floor((n - (length >> 1)) / advance);
  for (let part = 0; part < count; part++) {
    const piece = value.subarray(part * advance, part * advance + length), mean = total(piece) / length;
    transform(piece.map((v, i) => (v - mean) * window[i])).forEach((v, i) => { sums[i] += v; });
  }
  const scale = macroStep / (total(window, (w) => w * w) * count * 2 * Math.PI);
  const doubled = (k) => (length % 2 === 0 && k === length / 2 ? 1 : 2);
  const mean = total(value) / n;
  return {
    omega: Float64Array.from({ length: sums.length - 1 }, (_, i) => (2 * Math.PI * (i + 1)) / (length * macroStep)),
    power: Float64Array.from({ length: sums.length - 1 }, (_, i) => sums[i + 1] * scale * doubled(i + 1)),
    variance: total(value, (v) => (v - mean) ** 2) / n,
  };
}

/* Returns { useful [rad/s], disturbances: pairs [rad/s] }: humps between valleys at half of both sides. */
export function bands({ omega, power, variance }) {
  const sum = total(power);
  if (sum <= 0) return { useful: omega[0], disturbances: [] };
  const edges = [0, ...valleys(smoothed(power)), power.length], all = Math.max(variance, sum * omega[0]);
  let last = 0;
  for (let i = 0; i + 1 < edges.length; i++) {
    if ((total(power.subarray(edges[i], edges[i + 1])) * omega[0]) / all >= USEFUL) last = i;
  }
  const [low, high] = [edges[last], edges[last + 1]], enough = ENOUGH * total(power.subarray(low, high));
  let end = low;
  for (let rising = power[low]; rising < enough && end < high - 1; rising += power[end]) end += 1;
  const floor = median(power.subarray(power.length >> 1));
  const least = Math.max(LOUD * floor, 1e-9 * power.reduce((a, b) => Math.max(a, b)));
  return { useful: omega[end], disturbances: stretches(omega, power, least, high) };
}

function smoothed(power) {
  const last = power.length - 1, at = (i) => power[Math.max(0, Math.min(last, i))];
  return power.map((v, i) => 0.2 * (at(i - 2) + at(i - 1) + v + at(i + 1) + at(i + 2)));
}

/* Minima of the logarithm with a prominence of `VALLEY`, flat ones at their middle (scipy.signal.find_peaks). */
function valleys(smooth) {
  const least = 1e-12 * smooth.reduce((a, b) => Math.max(a, b));
  const height = smooth.map((v) => -Math.log(Math.max(v, least))), found = [];
  for (let i = 1; i < height.length - 1; i++) {
    if (!(height[i - 1] < height[i])) continue;
    let end = i;
    while (end < height.length - 1 && height[end + 1] === height[i]) end += 1;
    if (end < height.length - 1 && height[end + 1] < height[i]) found.push((i + end) >> 1);
    i = end;
  }
  return found.filter((peak) => prominence(height, peak) >= Math.log(VALLEY));
}

function prominence(height, peak) {
  const lowest = (by) => {
    let low = height[peak];
    for (let i = peak; height[i] <= height[peak]; i += by) low = Math.min(low, height[i]);
    return low;
  };
  return height[peak] - Math.max(lowest(-1), lowest(1));
}

/* Stretches of at least three loud frequencies from an index on, short breaks bridged. */
function stretches(omega, power, least, first) {
  const groups = [];
  for (let i = first; i < power.length; i++) {
    if (!(power[i] > least)) continue;
    const group = groups[groups.length - 1];
    if (group && i - group.last <= BREAK) Object.assign(group, { last: i, size: group.size + 1 });
    else groups.push({ first: i, last: i, size: 1 });
  }
  return groups.filter((one) => one.size >= 3).map((one) => [omega[one.first], omega[one.last]]);
}
