/* Where the spectral detector flags a jump, as couplant.analysis.signal.recording.discontinuities (dissertation 5.3.1). */

const WINDOW = 8;
const STRETCH = 100000;
const ROUNDING = 1e-9;
const HANN = Float64Array.from({ length: WINDOW }, (_, i) =>
  0.5 * (1 - Math.cos((Math.PI * (i + 1)) / WINDOW)) * (2 / WINDOW) * (16 / 9));
const TURNS = Array.from({ length: WINDOW / 2 }, (_, k) => Array.from({ length: WINDOW }, (_, n) =>
  [Math.cos((2 * Math.PI * (k + 1) * n) / WINDOW), Math.sin((2 * Math.PI * (k + 1) * n) / WINDOW)]));

/* Returns the macro steps; `beta` is the sensitivity, jumps below `floor` [signal unit] do not count. */
export function discontinuities(value, beta = 5, floor = 0) {
  const found = [];
  for (let start = 0; start < value.length; start += STRETCH) {
    const lead = Math.min(start, WINDOW), piece = value.subarray(start - lead, start + STRETCH);
    for (const at of flags(piece, beta, floor)) if (at >= lead) found.push(at - lead + start);
  }
  return found;
}

function flags(value, beta, floor) {
  const places = [];
  if (value.length < WINDOW + 1) return places;
  let before = size(value, WINDOW - 1);
  for (let at = WINDOW; at < value.length; at++) {
    const now = size(value, at);
    if (now > beta * before && now > Math.max(ROUNDING * Math.abs(value[at]), floor)) places.push(at);
    before = now;
  }
  return places;
}

/* The sum of the sizes of all frequencies but zero in the window that ends at a place. */
function size(value, at) {
  const first = at - WINDOW + 1;
  let sum = 0;
  for (const turn of TURNS) {
    let re = 0, im = 0;
    for (let n = 0; n < WINDOW; n++) {
      const one = (value[first + n] - value[at]) * HANN[n];
      re += one * turn[n][0];
      im += one * turn[n][1];
    }
    sum += Math.hypot(re, im);
  }
  return sum;
}
