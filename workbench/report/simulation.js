/* The page of a simulation: controls that change what is shown, signals with their legends. */

import { Legend, cursorAt, widen, widthOf, zoomButtons } from "../chart/chart.js";
import { number } from "../chart/numbers.js";
import { extent } from "../chart/range.js";
import { shade, usePalette, usePaper } from "../chart/theme.js";
import { button, element } from "../views/parts.js";
import { errorChart, levelChart, valueChart } from "./charts.js";
import { TIME, codeAt, column, endsOf, estimateOf, longest, report, runsOf } from "./data.js";
import { drawCharts } from "./figures.js";
import { stripChart, stripLegend } from "./strips.js";
import { NAMES, isShown, named, shownRuns, tracesOf, view } from "./view.js";

const STATES = { 0: "", 1: "starting", 2: "", 3: "holding", 4: "lost" };
const CURVES = [
  ["reference", "reference", "the signal without network"],
  ["late", "late value", "what came out of the network in the run on top"],
  ["sent", "sent value", "the true signal in the run on top"],
];
const PAPER = 680;
export const charts = [];
let pending = new Set();

function toggle(set, entry) {
  if (!set.delete(entry)) set.add(entry);
  draw();
}

function chip({ algorithm, label, colour }) {
  const swatch = element("i", { class: "swatch" }), title = "Show or hide; double-click for this one alone";
  swatch.style.background = shade(colour);
  const item = button(swatch, title, () => toggle(view.hidden, algorithm), !view.hidden.has(algorithm));
  item.append(label);
  item.addEventListener("dblclick", () => only(algorithm));
  return item;
}

function only(algorithm) {
  const others = report.runs.map((run) => run.algorithm).filter((name) => name !== algorithm);
  const alone = others.every((name) => view.hidden.has(name)) && view.alone;
  view.hidden = new Set(alone ? [] : others);
  view.alone = !alone;
  draw();
}

function setTiming(timing) {
  const same = runsOf(timing).find((run) => run.algorithm === view.focus.algorithm);
  focusOn(same ?? runsOf(timing)[0]);
}

function focusOn(run) {
  const sameTiming = run.timing === view.timing;
  view.focus = run;
  view.timing = run.timing;
  view.hidden.delete(run.algorithm);
  if (!sameTiming) showAll();
  draw();
}

function showAll() {
  view.span.setFull(...endsOf(TIME, view.timing));
  view.span.reset();
}

function fillControls() {
  const place = (id) => document.getElementById(id);
  const timings = [...new Set(report.runs.map((run) => run.timing))];
  place("timings").hidden = timings.length < 2;
  place("timings").replaceChildren(...timings.map((t) =>
    button(t, "Timing of the coupling", () => setTiming(t), t === view.timing)));
  const names = new Map(runsOf(view.timing).map((run) => [run.algorithm, run]));
  place("algorithms").replaceChildren(...[...names.values()].map(chip));
  place("curves").replaceChildren(...CURVES.map(([name, label, title]) =>
    button(label, title, () => toggle(view.curves, name), view.curves.has(name))));
  place("axes").replaceChildren(
    button("fit reference", "Axes fit the reference and the stable runs", () => setAll(false), !view.all),
    button("show all", "Axes fit every curve", () => setAll(true), view.all));
  place("zoom").replaceChildren(...zoomButtons(view.span, "whole run", "Whole run"));
}

function setAll(all) {
  view.all = all;
  draw();
}

const rows = () => document.querySelectorAll(".run");
const runOf = (row) => report.runs[Number(row.dataset.run)];

function markTable() {
  for (const row of rows()) row.classList.toggle("focus", runOf(row) === view.focus);
}

/* Runs that leave the picture, and how far they go. */
function clipNote(place, signal) {
  const gone = [];
  for (const run of shownRuns(signal.name)) {
    const trace = run.traces[signal.name];
    const values = extent(estimateOf(trace)), reference = extent(column(trace.reference));
    if (!values || !reference) continue;
    const far = Math.abs(values[0]) > Math.abs(values[1]) ? values[0] : values[1];
    const size = Math.max(Math.abs(reference[0]), Math.abs(reference[1]));
    const span = reference[1] - reference[0];
    if (values[0] >= reference[0] - 0.56 * span && values[1] <= reference[1] + 0.56 * span) continue;
    const times = size ? `, ${number(Math.abs(far) / size, 2)} times the reference` : "";
    gone.push(`${run.label} reaches ${number(far, 3)}${signal.unit ? ` ${signal.unit}` : ""}${times}`);
  }
  place.hidden = !gone.length || view.all;
  place.replaceChildren(`Leaves the picture: ${gone.join("; ")}. `, button("Show all", "", () => setAll(true)));
}

/* Fill the legend of a signal; returns what shows the values at the cursor. */
function legend(place, signal) {
  const entries = [], reads = new Map(), made = new Legend(place);
  const put = (name, kind, stroke, read) => { entries.push({ name, kind, stroke }); reads.set(name, read); };
  const { label, traces } = view.focus, focus = signal.watched ? null : traces[signal.name];
  const { reference } = longest(tracesOf(signal.name)), of = (index) => (i) => number(column(index)[i]);
  if (view.curves.has("reference")) put("reference", "reference", shade("ink"), of(reference));
  if (focus && view.curves.has("sent")) put(`sent (${label})`, "sent", shade("ink"), of(focus.sent));
  if (focus && view.curves.has("late")) put(`late value (${label})`, "late", shade("muted"), of(focus.received));
  for (const run of runsOf(view.timing).filter((one) => isShown(one) && one.traces[signal.name])) {
    put(run.label, "", shade(run.colour), (i, t) => reading(run, signal, i, t));
  }
  made.fill(entries);
  return (u) => {
    const i = cursorAt(u);
    made.tell(new Map(i === null ? [] : [...reads].map(([name, read]) => [name, read(i, u.data[0][i])])));
  };
}

function reading(run, signal, i, t) {
  const trace = run.traces[signal.name];
  const value = number(estimateOf(trace)[i]);
  if (signal.watched) return value;
  const active = NAMES[codeAt(trace.active, t)], state = STATES[codeAt(trace.state, t)];
  const remarks = [active === run.algorithm ? "" : named(active), state].filter(Boolean).join(", ");
  return value + (remarks ? ` (${remarks})` : "");
}

function drawSignal(section) {
  const signal = report.signals[Number(section.dataset.signal)];
  const part = (name) => section.querySelector(name);
  for (const chart of section.querySelectorAll(".chart")) chart.replaceChildren();
  section.hidden = !tracesOf(signal.name).length;
  if (section.hidden) return [];
  clipNote(part(".clipped"), signal);
  const update = legend(part(".legend"), signal);
  const both = [valueChart(part(".value"), signal, { setCursor: [update] }), errorChart(part(".error"), signal)];
  if (signal.watched) return both;
  stripLegend(part(".marks"), signal);
  return [...both, stripChart(part(".strip"), signal)];
}

/* Signals are drawn when they come near the window: a page of many signals opens as fast as one of few. */
const near = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) drawPending(entry.target);
}, { rootMargin: "800px" });

function drawPending(section) {
  near.unobserve(section);
  if (!pending.delete(section)) return;
  charts.push(...drawSignal(section).filter(Boolean));
}

function draw() {
  for (const chart of charts.splice(0)) chart.destroy();
  fillControls();
  markTable();
  charts.push(levelChart(document.getElementById("level")));
  pending = new Set(document.querySelectorAll(".signal[data-signal]"));
  for (const section of pending) {
    near.unobserve(section);
    near.observe(section);
  }
}

function fit() {
  for (const chart of charts) chart.setSize({ width: widthOf(chart.root.parentElement), height: chart.height });
}

function forPrint(on) {
  draw();
  if (!on) return;
  [...pending].forEach(drawPending);
  for (const chart of charts) chart.setSize({ width: PAPER, height: chart.height });
}

function begin() {
  usePalette(report.palette, draw);
  usePaper(forPrint);
  widen(report.runs.map((run) => run.label));
  showAll();
  const points = `each pair of points is the smallest and the largest value of ${report.group} macro steps`;
  if (report.group > 1) document.getElementById("thinned").textContent = ` The run is long: ${points}.`;
  for (const row of rows()) row.addEventListener("click", () => focusOn(runOf(row)));
  view.span.followers.push(([min, max]) => { for (const chart of charts) chart.setScale("x", { min, max }); });
  draw();
  window.addEventListener("resize", fit);
}

export function start() {
  if (view.focus) begin();
  drawCharts();
}
