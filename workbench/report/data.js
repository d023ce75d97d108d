/* The signals of the page: base64 columns become arrays with null where there is no value. */

import { Span } from "../chart/span.js";

export const TIME = "time / s";
export const report = JSON.parse(document.getElementById("data").textContent);
const decoded = new Map();
const spans = new Map();

export function column(index) {
  if (!decoded.has(index)) decoded.set(index, decode(report.columns[index]));
  return decoded.get(index);
}

function decode(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return Array.from(new Float32Array(bytes.buffer), (v) => (Number.isFinite(v) ? v : null));
}

/* Times of a trace come as [first, step, count]. */
export function times(trace) {
  const [first, step, count] = trace.time;
  return Array.from({ length: count }, (_, i) => first + i * step);
}

export function padded(values, count) {
  return values.length === count ? values : values.concat(Array(count - values.length).fill(null));
}

/* Without thinning the estimate is not stored: it is reference plus error. */
export function estimateOf(trace) {
  if (trace.estimate !== undefined) return column(trace.estimate);
  trace.sum ??= column(trace.error).map((e, i) => add(e, column(trace.reference)[i]));
  return trace.sum;
}

function add(a, b) {
  return a === null || b === null ? null : a + b;
}

export function runsOf(timing) {
  return report.runs.filter((run) => run.timing === timing);
}

export function longest(traces) {
  return traces.reduce((a, b) => (b.time[2] > a.time[2] ? b : a));
}

/* First and last point of a trace inside a span of time. */
export function bounds(trace, [from, to]) {
  const [first, step, count] = trace.time;
  const left = Math.max(Math.floor((from - first) / step), 0);
  return [left, Math.min(Math.ceil((to - first) / step), count - 1)];
}

/* The code of a list of [from, to, code] at a time. */
export function codeAt(parts, t) {
  let low = 0, high = parts.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (parts[mid][0] <= t) low = mid; else high = mid - 1;
  }
  return parts.length && parts[low][0] <= t && t <= parts[low][1] ? parts[low][2] : 0;
}

/* The span of a quantity, which all charts over it show. */
export function spanOf(quantity, logarithmic = false) {
  const least = quantity === TIME ? 4 * (report.macro_step ?? 0) : 0;
  if (!spans.has(quantity)) spans.set(quantity, new Span(logarithmic, least));
  return spans.get(quantity);
}

/* First and last value of a quantity: of charts over it, and over time of the runs of a timing. */
export function endsOf(quantity, timing) {
  const panels = report.charts.filter((chart) => chart.x === quantity).flatMap((chart) => chart.panels);
  const lines = panels.flatMap((panel) => panel.lines);
  const columns = lines.map((line) => column(line.x)).filter((x) => x.length).map((x) => [x[0], x[x.length - 1]]);
  const traces = quantity === TIME && timing ? runsOf(timing).flatMap((run) => Object.values(run.traces)) : [];
  const ends = [...columns, ...traces.map(({ time: [first, step, count] }) => [first, first + step * (count - 1)])];
  return ends.length ? [Math.min(...ends.map(([low]) => low)), Math.max(...ends.map(([, high]) => high))] : [0, 1];
}
