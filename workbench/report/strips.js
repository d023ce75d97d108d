/* One row for each run: which algorithm was active, where the output was held or limited, where a jump was flagged. */

import { across, clipped, ofRows } from "../chart/chart.js";
import { shade } from "../chart/theme.js";
import { element } from "../views/parts.js";
import { plot } from "./charts.js";
import { TIME, longest, runsOf, times } from "./data.js";
import { NAMES, colour, isShown, named, shownRuns, view } from "./view.js";

const ROW = 18;

export function stripChart(place, signal) {
  const runs = runsOf(view.timing).filter((run) => isShown(run) && run.traces[signal.name]);
  if (!runs.length) return null;
  const x = times(longest(runs.map((run) => run.traces[signal.name])));
  const parts = {
    series: [{}, { points: { show: false } }],
    axes: [across(TIME), ofRows(runs.map((run) => run.label))],
    y: { range: () => [0, runs.length], dir: -1 },
    hooks: { draw: [(u) => runs.forEach((run, i) => drawRow(u, run.traces[signal.name], i))] },
  };
  return plot(place, ROW * runs.length + 44 + 6, parts, [x, x.map(() => null)]);
}

function drawRow(u, trace, row) {
  const { ctx } = u, scale = uPlot.pxRatio;
  const top = u.valToPos(row, "y", true) + 2 * scale, height = (ROW - 4) * scale;
  clipped(u, 2 * scale, () => {
    bars(u, trace.active, top, height, (code) => colour(NAMES[code]));
    bars(u, trace.state.filter((part) => part[2] === 3), top, height, () => hatch(ctx, scale, false));
    bars(u, trace.state.filter((part) => part[2] === 4), top, height, () => hatch(ctx, scale, true));
    bars(u, trace.limited, top + 0.68 * height, 0.32 * height, () => shade("ink"));
    for (const [from] of trace.detected) flag(ctx, u.valToPos(from, "x", true), top, scale);
  });
}

/* Bars narrower than a pixel are widened: a single macro step stays visible. */
function bars(u, parts, top, height, style) {
  for (const [from, to, code] of parts) {
    if (to < view.span.shown[0] || from > view.span.shown[1]) continue;
    const left = u.valToPos(from, "x", true), right = u.valToPos(to, "x", true);
    u.ctx.fillStyle = style(code);
    u.ctx.fillRect(left, top, Math.max(right - left, uPlot.pxRatio), height);
  }
}

function hatch(ctx, scale, crossed) {
  const tile = document.createElement("canvas"), size = Math.round(6 * scale);
  tile.width = tile.height = size;
  const pen = tile.getContext("2d");
  pen.fillStyle = shade("background");
  pen.fillRect(0, 0, size, size);
  pen.strokeStyle = shade("ink");
  pen.lineWidth = 1.2 * scale;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift, size); pen.lineTo(shift + size, 0);
    if (crossed) { pen.moveTo(shift, 0); pen.lineTo(shift + size, size); }
  }
  pen.stroke();
  return ctx.createPattern(tile, "repeat");
}

function flag(ctx, x, top, scale) {
  ctx.beginPath();
  ctx.moveTo(x - 4.5 * scale, top - 2 * scale);
  ctx.lineTo(x + 4.5 * scale, top - 2 * scale);
  ctx.lineTo(x, top + 7 * scale);
  ctx.closePath();
  ctx.fillStyle = shade("ink");
  ctx.strokeStyle = shade("background");
  ctx.lineWidth = 1.5 * scale;
  ctx.stroke();
  ctx.fill();
}

/* Legend of the strips: only what occurs in them. */
export function stripLegend(place, signal) {
  const traces = shownRuns(signal.name).map((run) => run.traces[signal.name]);
  const codes = new Set(traces.flatMap((trace) => trace.active.map((part) => part[2])));
  const states = new Set(traces.flatMap((trace) => trace.state.map((part) => part[2])));
  const keys = [...codes].sort().map((code) => key(named(NAMES[code]), (ctx) => fill(ctx, colour(NAMES[code]))));
  if (states.has(3)) keys.push(key("holding", (ctx) => fill(ctx, hatch(ctx, 1, false))));
  if (states.has(4)) keys.push(key("lost", (ctx) => fill(ctx, hatch(ctx, 1, true))));
  const some = (kind) => traces.some((trace) => trace[kind].length);
  if (some("limited")) keys.push(key("limited", (ctx) => fill(ctx, shade("ink"), 9)));
  if (some("detected")) keys.push(key("discontinuity flagged", (ctx) => flag(ctx, 7, 4, 1)));
  const blended = shownRuns(signal.name).some((run) => run.algorithm === "auto");
  const title = blended ? "active algorithm (of auto the leading one):" : "active algorithm:";
  place.replaceChildren(element("span", {}, [title]), ...keys);
}

function fill(ctx, style, top = 0) {
  ctx.fillStyle = style;
  ctx.fillRect(0, top, 14, 14 - top);
}

function key(name, draw) {
  const picture = element("canvas", { width: 14, height: 14 });
  draw(picture.getContext("2d"));
  return element("span", {}, [picture, name]);
}
