/* Sums that hardly round, and what is made of them. */

/* Neumaier's sum: what rounding takes from it is kept beside it. */
export function total(values, of = null) {
  let sum = 0, lost = 0;
  for (let i = 0; i < values.length; i++) {
    const one = of === null ? values[i] : of(values[i], i), next = sum + one;
    lost += Math.abs(sum) >= Math.abs(one) ? sum - next + one : one - next + sum;
    sum = next;
  }
  return Number.isFinite(lost) ? sum + lost : sum;
}

export function rms(values) {
  return Math.sqrt(total(values, (v) => v * v) / values.length);
}

export function largest(values) {
  let found = 0;
  for (let i = 0; i < values.length; i++) {
    const v = Math.abs(values[i]);
    if (Number.isNaN(v)) return NaN;
    if (v > found) found = v;
  }
  return found;
}
