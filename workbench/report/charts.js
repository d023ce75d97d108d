/* uPlot charts of one time axis: values, errors, level of the error. */

import { across, settings, upright, widthOf } from "../chart/chart.js";
import { decades } from "../chart/numbers.js";
import { extent, limits } from "../chart/range.js";
import { isOnPaper, shade } from "../chart/theme.js";
import { TIME, bounds, column, estimateOf, longest, padded, times } from "./data.js";
import { lineWidth, ruins, shownRuns, tracesOf, view } from "./view.js";

/* Traces of runs that may widen an axis. */
function wideningOf(signal) {
  return shownRuns(signal).filter((run) => view.all || !ruins(run)).map((run) => run.traces[signal]);
}

/* Limits for the shown span of time. */
function valueRange(signal) {
  return () => {
    const seen = (values, trace) => extent(values, ...bounds(trace, view.span.shown));
    const any = shownRuns(signal)[0]?.traces[signal] ?? tracesOf(signal)[0];
    const others = wideningOf(signal).map((trace) => seen(estimateOf(trace), trace));
    return limits(seen(column(any.reference), any), others, view.all ? Infinity : 0.5);
  };
}

function errorRange(signal) {
  return () => {
    const all = wideningOf(signal).map((trace) => extent(column(trace.error), ...bounds(trace, view.span.shown)));
    const top = 1.08 * (Math.max(0, ...all.filter(Boolean).flatMap(([low, high]) => [-low, high])) || 1);
    return [-top, top];
  };
}

export function plot(place, height, parts, data) {
  const options = { width: widthOf(place), height, right: 10, top: 6, sync: TIME, ...parts };
  return new uPlot(settings(view.span, options), data, place);
}

function line(run) {
  return { stroke: shade(run.colour), width: lineWidth(run), dash: run.dash, points: { show: false } };
}

export function valueChart(place, signal, hooks) {
  const main = longest(tracesOf(signal.name)), count = main.time[2];
  const data = [times(main)], series = [{}];
  const put = (values, style) => {
    data.push(padded(values, count));
    series.push({ points: { show: false }, ...style });
  };
  if (view.curves.has("reference")) put(column(main.reference), { stroke: shade("ink") + "44", width: 6 });
  const focus = signal.watched ? null : view.focus.traces[signal.name];
  const late = { stroke: shade("muted"), width: 1.3, dash: [5, 4], paths: uPlot.paths.stepped({ align: 1 }) };
  if (focus && view.curves.has("sent")) put(column(focus.sent), { stroke: shade("ink"), width: 1 });
  if (focus && view.curves.has("late")) put(column(focus.received), late);
  for (const run of shownRuns(signal.name)) put(estimateOf(run.traces[signal.name]), line(run));
  const axes = [across(""), upright(withUnit(signal.name, signal))];
  return plot(place, 250, { series, axes, y: { range: valueRange(signal.name) }, hooks }, data);
}

function withUnit(name, { unit }) {
  return name + (unit && unit !== "1" ? ` / ${unit}` : "");
}

export function errorChart(place, signal) {
  const runs = shownRuns(signal.name), main = longest(tracesOf(signal.name));
  const data = [times(main), ...runs.map((run) => padded(column(run.traces[signal.name].error), main.time[2]))];
  const label = withUnit(signal.watched ? "difference" : "error", signal);
  const axes = [across(signal.watched ? TIME : ""), upright(label, undefined, 22)];
  const parts = { series: [{}, ...runs.map(line)], axes, y: { range: errorRange(signal.name) } };
  return plot(place, signal.watched ? 174 : 130, parts, data);
}

export function levelChart(place) {
  const runs = shownRuns();
  const tables = runs.map((run) => [column(run.level.time), column(run.level.value).map((v) => (v > 0 ? v : null))]);
  const data = tables.length ? uPlot.join(tables) : [[0, 1]];
  const series = [{}, ...runs.map((run) => ({ ...line(run), spanGaps: true, width: lineWidth(run) + 0.4 }))];
  const axes = [across(TIME), upright("rms error / rms of signal", decades)];
  const stacked = isOnPaper() || window.innerWidth <= 940;
  const beside = stacked ? 0 : place.closest(".overview").querySelector("table").clientHeight - 34;
  const parts = { series, axes, y: { distr: 3, range: levelRange(data) } };
  return plot(place, Math.min(Math.max(beside, 240), 400), parts, data);
}

/* Five decades at most: the first errors of a run from rest are as small as the arithmetic. */
function levelRange(data) {
  return () => {
    const known = data.slice(1).flat().filter((v) => v > 0);
    const high = known.length ? Math.max(...known) : 1;
    const low = Math.max(known.length ? Math.min(...known) : 0.1, 1e-5 * high);
    return [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high * 1.0001))];
  };
}
