"use strict";
/* uPlot charts of one time axis: values, errors, level of the error. */

const TIME = "time / s";
const NAMES = report.names;
const STATES = { 0: "", 1: "starting", 2: "", 3: "holding", 4: "lost" };

function colour(algorithm) {
  return shade(algorithm === "none" ? "none" : report.looks[algorithm].colour);
}

function named(algorithm) {
  return report.looks[algorithm]?.label ?? algorithm;
}

function isShown(run) {
  return !view.hidden.has(run.algorithm);
}

/* Runs in the order of drawing: the one in focus last, on top. */
function shownRuns(signal) {
  const runs = runsOf(view.timing).filter((run) => isShown(run) && (!signal || run.traces[signal]));
  return runs.sort((a, b) => (a === view.focus) - (b === view.focus));
}

/* Where all runs of the timing are unstable, none can be clipped in favour of the others. */
function ruins(run) {
  const all = shownRuns();
  return run.verdict === "unstable" && !report.open_loop && all.some((other) => other.verdict !== "unstable");
}

function width(run) {
  return run === view.focus ? 2.2 : 1.4;
}

/* Limits like couplant.report.signals.limits, for the shown span of time. */
function valueRange(signal) {
  return () => {
    const traces = shownRuns(signal).map((run) => [run, run.traces[signal]]);
    const any = traces[0]?.[1] ?? runsOf(view.timing).find((run) => run.traces[signal]).traces[signal];
    let [low, high] = extent(column(any.reference), ...bounds(any, view.span)) ?? [0, 0];
    const reach = view.all ? Infinity : 0.5 * (high - low || Math.abs(high) || 1);
    const floor = low - reach, ceiling = high + reach;
    for (const [run, trace] of traces) {
      if (!view.all && ruins(run)) continue;
      const seen = extent(curve(trace, "estimate"), ...bounds(trace, view.span));
      if (seen) [low, high] = [Math.min(low, Math.max(seen[0], floor)), Math.max(high, Math.min(seen[1], ceiling))];
    }
    const margin = 0.06 * (high - low || Math.abs(high) || 1);
    return [low - margin, high + margin];
  };
}

function errorRange(signal) {
  return () => {
    let top = 0;
    for (const run of shownRuns(signal)) {
      if (!view.all && ruins(run)) continue;
      const trace = run.traces[signal];
      const seen = extent(column(trace.error), ...bounds(trace, view.span));
      if (seen) top = Math.max(top, -seen[0], seen[1]);
    }
    return [-1.08 * (top || 1), 1.08 * (top || 1)];
  };
}

function options(place, height, parts) {
  return {
    width: Math.max(place.clientWidth, 240), height, legend: { show: false }, padding: [6, 10, 0, 0],
    scales: { x: { time: false, range: () => view.span }, ...parts.scales },
    cursor: {
      y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: 4 },
      sync: { key: TIME, scales: ["x", null], filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } },
      bind: { mousedown: panOrZoom, dblclick: () => () => { setSpan(...fullSpan()); return null; } },
    },
    series: parts.series, axes: parts.axes,
    hooks: { setSelect: [selected], ready: [(u) => pinched(u, zoomBy)], ...parts.hooks },
  };
}

function line(run) {
  return { stroke: shade(run.colour), width: width(run), dash: run.dash, points: { show: false } };
}

function valueChart(place, signal, hooks) {
  const runs = shownRuns(signal.name);
  const all = runsOf(view.timing).filter((run) => run.traces[signal.name]).map((run) => run.traces[signal.name]);
  const main = longest(all), count = main.time[2];
  const data = [times(main)], series = [{}];
  const put = (values, style) => { data.push(padded(values, count)); series.push({ points: { show: false }, ...style }); };
  if (view.curves.has("reference")) put(column(main.reference), { stroke: theme().ink + "44", width: 6 });
  const focus = view.focus.traces[signal.name];
  const steps = uPlot.paths.stepped({ align: 1 });
  if (focus && !signal.watched && view.curves.has("sent")) put(column(focus.sent), { stroke: theme().ink, width: 1 });
  if (focus && !signal.watched && view.curves.has("late")) put(column(focus.received), { stroke: theme().muted, width: 1.3, dash: [5, 4], paths: steps });
  for (const run of runs) put(curve(run.traces[signal.name], "estimate"), line(run));
  const parts = { series, axes: axes("", withUnit(signal)), scales: { y: { range: valueRange(signal.name) } }, hooks };
  return new uPlot(options(place, 250, parts), data, place);
}

function withUnit(signal, prefix = "") {
  return prefix + signal.name + (signal.unit && signal.unit !== "1" ? ` / ${signal.unit}` : "");
}

function errorChart(place, signal) {
  const runs = shownRuns(signal.name);
  const all = runsOf(view.timing).filter((run) => run.traces[signal.name]).map((run) => run.traces[signal.name]);
  const main = longest(all);
  const data = [times(main), ...runs.map((run) => padded(column(run.traces[signal.name].error), main.time[2]))];
  const series = [{}, ...runs.map(line)];
  const word = signal.watched ? "difference" : "error";
  const label = signal.unit && signal.unit !== "1" ? `${word} / ${signal.unit}` : word;
  const parts = { series, axes: axes(signal.watched ? TIME : "", label, undefined, 22), scales: { y: { range: errorRange(signal.name) } } };
  return new uPlot(options(place, signal.watched ? 174 : 130, parts), data, place);
}

function levelChart(place) {
  const runs = shownRuns();
  const tables = runs.map((run) => [column(run.level.time), column(run.level.value).map((v) => (v > 0 ? v : null))]);
  const data = tables.length ? uPlot.join(tables) : [[0, 1]];
  const series = [{}, ...runs.map((run) => ({ ...line(run), spanGaps: true, width: width(run) + 0.4 }))];
  const parts = { series, axes: axes(TIME, "rms error / rms of signal", decades), scales: { y: { distr: 3, range: levelRange(data) } } };
  const stacked = onPaper || window.innerWidth <= 940;
  const beside = stacked ? 0 : place.closest(".overview").querySelector("table").clientHeight - 34;
  return new uPlot(options(place, Math.min(Math.max(beside, 240), 400), parts), data, place);
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
