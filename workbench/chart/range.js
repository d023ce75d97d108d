/* What a chart shows upwards: all of the curve that leads, of the others what lies near it. */

/* Returns least and largest of finite values at places `from` to `to` of x, null if there is none. */
export function extent(values, x, [from, to]) {
  let low = Infinity, high = -Infinity;
  for (let i = place(x, from); i < x.length && x[i] <= to; i++) {
    const v = values[i];
    if (v === null || !Number.isFinite(v)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return low <= high ? [low, high] : null;
}

/* The first index at which x is at least `at`; x increases. */
export function place(x, at) {
  let low = 0, high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < at) low = middle + 1; else high = middle;
  }
  return low;
}

/* Limits like couplant.report.signals.limits: the first line is seen whole, others half of its height beyond it. */
export function around(lines, x, shown) {
  if (!lines.length) return [0, 1];
  let [low, high] = extent(lines[0].values, x, shown) ?? [0, 0];
  const reach = 0.5 * (high - low || Math.abs(high) || 1), floor = low - reach, ceiling = high + reach;
  for (const one of lines) {
    const [least, most] = extent(one.values, x, shown) ?? [low, high];
    low = Math.min(low, Math.max(least, floor));
    high = Math.max(high, Math.min(most, ceiling));
  }
  const margin = 0.06 * (high - low || Math.abs(high) || 1);
  return [low - margin, high + margin];
}

/* Whole decades, at most so many: the first errors of a run from rest are as small as the arithmetic. */
export function decadesOf(most) {
  return (lines, x, shown) => {
    let low = Infinity, high = 0;
    for (const { values } of lines) {
      for (let i = place(x, shown[0]); i < x.length && x[i] <= shown[1]; i++) {
        const v = values[i];
        if (!(v > 0) || !Number.isFinite(v)) continue;
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (!high) return [0.1, 1];
    const top = 10 ** Math.ceil(Math.log10(high * 1.0001));
    return [Math.max(10 ** Math.floor(Math.log10(low)), top / 10 ** most), top];
  };
}
