"use strict";
/* The signals of the page: base64 columns become arrays with null where there is no value. */

const report = JSON.parse(document.getElementById("data").textContent);
const decoded = new Map();

function column(index) {
  if (!decoded.has(index)) decoded.set(index, decode(report.columns[index]));
  return decoded.get(index);
}

function decode(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return Array.from(new Float32Array(bytes.buffer), (v) => (Number.isFinite(v) ? v : null));
}

/* Times of a trace come as [first, step, count]. */
function times(trace) {
  const [first, step, count] = trace.time;
  return Array.from({ length: count }, (_, i) => first + i * step);
}

function padded(values, count) {
  return values.length === count ? values : values.concat(Array(count - values.length).fill(null));
}

/* Without thinning the estimate is not stored: it is reference plus error. */
function curve(trace, name) {
  if (name !== "estimate" || trace.estimate !== undefined) return column(trace[name]);
  trace.sum ??= column(trace.error).map((e, i) => add(e, column(trace.reference)[i]));
  return trace.sum;
}

function add(a, b) {
  return a === null || b === null ? null : a + b;
}

function runsOf(timing) {
  return report.runs.filter((run) => run.timing === timing);
}

function longest(traces) {
  return traces.reduce((a, b) => (b.time[2] > a.time[2] ? b : a));
}

function extent(values, from, to) {
  let low = Infinity, high = -Infinity;
  for (let i = from; i <= to && i < values.length; i++) {
    const v = values[i];
    if (v !== null && v < low) low = v;
    if (v !== null && v > high) high = v;
  }
  return low <= high ? [low, high] : null;
}

/* First and last point of a trace inside the shown span of time. */
function bounds(trace, [from, to]) {
  const [first, step, count] = trace.time;
  const left = Math.max(Math.floor((from - first) / step), 0);
  return [left, Math.min(Math.ceil((to - first) / step), count - 1)];
}

/* The code of a list of [from, to, code] at a time. */
function codeAt(parts, t) {
  let low = 0, high = parts.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (parts[mid][0] <= t) low = mid; else high = mid - 1;
  }
  return parts.length && parts[low][0] <= t && t <= parts[low][1] ? parts[low][2] : 0;
}

const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

function power(exponent) {
  return "10" + String(exponent).replace(/./g, (c) => SUPERSCRIPT[c]);
}

function text(value, digits = 4) {
  if (value === null || value === undefined) return "—";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-4 && size < 1e5) return value.toPrecision(digits).replace("-", "−");
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  return `${mantissa.replace("-", "−")}×${power(Number(exponent))}`;
}
