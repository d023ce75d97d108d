/* Sums that hardly round, and what is made of them. */

/* Neumaier's sum: what rounding takes from it is kept beside it. */
export function total(values, of = (v) => v) {
  let sum = 0, lost = 0;
  for (let i = 0; i < values.length; i++) {
    const one = of(values[i], i), next = sum + one;
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
  for (const v of values) {
    if (Number.isNaN(v)) return NaN;
    if (Math.abs(v) > found) found = Math.abs(v);
  }
  return found;
}
