/* Charts as couplant.report.chart packs them; those of one quantity to the right are linked. */

import {
  Legend, across, behind, cursorAt, ofRows, settings, upright, widen, widthOf, zoomButtons,
} from "../chart/chart.js";
import { bothSides, decades, number } from "../chart/numbers.js";
import { isOnPaper, shade, usePalette, usePaper } from "../chart/theme.js";
import { TIME, column, endsOf, report, spanOf } from "./data.js";

const PAPER = 640;
const hidden = new Set();
export const plots = [];

/* uPlot wants one x for all curves of a panel. */
function table(panel) {
  const shown = panel.lines.filter((line) => !hidden.has(line.label));
  const positive = (y) => y.map((v) => (v > 0 ? v : null));
  const values = ({ y }) => (panel.log && !panel.linear ? positive(column(y)) : column(y));
  if (!shown.length) return { shown, data: [[0, 1]] };
  if (shown.every((line) => line.x === shown[0].x)) return { shown, data: [column(shown[0].x), ...shown.map(values)] };
  return { shown, data: uPlot.join(shown.map((line) => [column(line.x), values(line)])) };
}

function series(line) {
  const stroke = shade(line.colour);
  if (!line.width) return { stroke, paths: () => null, points: { show: true, size: 3, fill: stroke, width: 0 } };
  const paths = line.steps ? uPlot.paths.stepped({ align: 1 }) : undefined;
  return { stroke, width: line.width, dash: line.dash, paths, points: { show: false } };
}

/* What lies in the shown span, without what is beyond the limits of the panel. */
function range(panel) {
  return (u, min, max) => {
    if (min === null || max === null || !Number.isFinite(min)) return panel.log ? [0.1, 1] : [0, 1];
    const [low, high] = [Math.max(min, panel.limits[0] ?? min), Math.min(max, panel.limits[1] ?? max)];
    if (panel.rows.length) return [0, panel.rows.length];
    if (panel.log && !panel.linear) return [low / 1.2, high * 1.2];
    if (panel.linear) return aboutZero(low, high, panel.linear);
    const margin = 0.05 * (high - low || Math.abs(high) || 1);
    return [low - margin, high + margin];
  };
}

function aboutZero(low, high, linear) {
  const ends = [low, high].map((v) => Math.asinh(v / linear)), margin = 0.05 * (ends[1] - ends[0] || 1);
  return [linear * Math.sinh(ends[0] - margin), linear * Math.sinh(ends[1] + margin)];
}

function plot(place, chart, panel, last, tell) {
  const { shown, data } = table(panel), span = spanOf(chart.x, chart.log);
  const values = panel.linear ? bothSides : panel.log ? decades : undefined;
  const y = panel.rows.length ? ofRows(panel.rows) : upright(panel.y, values, panel.height < 150 ? 22 : 32);
  const distr = panel.linear ? 4 : panel.log ? 3 : 1;
  const bands = panel.bands.map((one) => (one.colour === "grid" ? { ...one, alpha: "" } : one));
  const options = settings(span, {
    width: width(place), height: panel.height + (last ? 44 : 6), right: 12, log: chart.log, sync: chart.x,
    y: { distr, asinh: panel.linear || 1, range: range(panel), dir: panel.rows.length ? -1 : 1 },
    series: [{}, ...shown.map(series)], axes: [across(last ? chart.x : "", chart.log), y],
    hooks: { drawClear: [(u) => behind(u, bands, panel.marks)], setCursor: [(u) => tell(panel, shown, u)] },
  });
  return { chart, u: new uPlot(options, data, place) };
}

function width(place) {
  return isOnPaper() ? PAPER : widthOf(place);
}

function toggle(label) {
  if (!hidden.delete(label)) hidden.add(label);
  draw();
}

/* One entry for each label; it reads the values of all panels. Returns what shows them at the cursor. */
function legend(place, chart) {
  const made = new Legend(place), texts = new Map(), of = (kind) => chart.panels.flatMap((panel) => panel[kind]);
  const curve = ({ label, dash, colour }) => ({
    name: label, kind: dash.length ? "late" : "", stroke: shade(colour), hidden: hidden.has(label),
    toggle: () => toggle(label) });
  const still = (kind) => ({ label, colour }) => ({ name: label, kind, stroke: shade(colour), still: true });
  made.fill([...of("lines").map(curve), ...of("bands").map(still("band")), ...of("marks").map(still("late"))]);
  return (panel, shown, u) => {
    const i = cursorAt(u);
    texts.set(panel, new Map(i === null ? [] : shown.map((line, n) => [line.label, number(u.data[n + 1][i])])));
    const told = (text) => text && text !== "—";
    const read = (label) => chart.panels.map((one) => texts.get(one)?.get(label)).filter(told);
    made.tell(new Map(chart.panels.flatMap((one) => one.lines).map(({ label }) => [label, read(label).join("; ")])));
  };
}

function drawChart(section) {
  const chart = report.charts[Number(section.dataset.chart)], place = section.querySelector(".chart");
  place.replaceChildren();
  section.querySelector(".choice").replaceChildren(...zoomButtons(spanOf(chart.x, chart.log)));
  const tell = legend(section.querySelector(".legend"), chart);
  return chart.panels.map((panel, i) => plot(place, chart, panel, i === chart.panels.length - 1, tell));
}

function draw() {
  for (const { u } of plots.splice(0)) u.destroy();
  plots.push(...[...document.querySelectorAll("[data-chart]")].flatMap(drawChart));
}

/* Charts over time begin with all of the runs, if there are some. */
function prepare({ x, log }) {
  const span = spanOf(x, log);
  if (x !== TIME || !report.runs?.length) span.setFull(...endsOf(x));
  return [x, span];
}

export function drawCharts() {
  usePalette(report.palette, draw);
  usePaper(draw);
  widen(report.charts.flatMap((chart) => chart.panels.flatMap((panel) => panel.rows)));
  for (const [quantity, span] of new Map(report.charts.map(prepare))) {
    span.followers.push(([min, max]) => {
      for (const { chart, u } of plots) if (chart.x === quantity) u.setScale("x", { min, max });
    });
  }
  draw();
  window.addEventListener("resize", () => {
    for (const { u } of plots) u.setSize({ width: width(u.root.parentElement), height: u.height });
  });
}
