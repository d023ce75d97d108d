/* What a chart shows upwards: all of the curve that leads, of the others what lies near it. */

/* Returns least and largest of finite values from one index to another, null if there is none. */
export function extent(values, from = 0, to = values.length - 1) {
  let low = Infinity, high = -Infinity;
  for (let i = from; i <= to && i < values.length; i++) {
    const v = values[i];
    if (v === null || !Number.isFinite(v)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return low <= high ? [low, high] : null;
}

/* The first index at which x is at least `at`; x increases. */
function place(x, at) {
  let low = 0, high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < at) low = middle + 1; else high = middle;
  }
  return low;
}

/* Limits like couplant.report.signals.limits: the extent that leads is seen whole, of others `reach` of its height. */
export function limits(leading, others, reach = 0.5) {
  let [low, high] = leading ?? [0, 0];
  const far = reach * (high - low || Math.abs(high) || 1), floor = low - far, ceiling = high + far;
  for (const [least, most] of others.filter(Boolean)) {
    low = Math.min(low, Math.max(least, floor));
    high = Math.max(high, Math.min(most, ceiling));
  }
  const margin = 0.06 * (high - low || Math.abs(high) || 1);
  return [low - margin, high + margin];
}

/* Limits of lines over x, of which the first one leads. */
export function around(lines, x, [from, to]) {
  if (!lines.length) return [0, 1];
  const [left, behind] = [place(x, from), place(x, to)];
  const right = x[behind] === to ? behind : behind - 1;
  const [leading, ...others] = lines.map(({ values }) => extent(values, left, right));
  return limits(leading, others);
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
