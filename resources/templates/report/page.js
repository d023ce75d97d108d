"use strict";
/* What is shown, and the controls that change it. */

const firstRow = document.querySelector(".run");
const view = {
  timing: firstRow ? report.runs[Number(firstRow.dataset.run)].timing : "",
  focus: firstRow ? report.runs[Number(firstRow.dataset.run)] : null,
  hidden: new Set(),
  curves: new Set(["reference", "late"]),
  all: false,
  span: [0, 1],
};
let charts = [];
let pending = new Set();

function fullSpan() {
  const ends = runsOf(view.timing).flatMap((run) => Object.values(run.traces)).map(({ time: [first, step, count] }) => [first, first + step * (count - 1)]);
  return [Math.min(...ends.map((e) => e[0])), Math.max(...ends.map((e) => e[1]))];
}

function setSpan(from, to) {
  show(from, to);
  tell(follow, TIME, ...view.span);
}

function follow(quantity, from, to) {
  if (quantity === TIME) show(from, to);
}

function show(from, to) {
  const [low, high] = fullSpan();
  const length = Math.min(Math.max(to - from, 4 * report.macro_step), high - low);
  const start = Math.min(Math.max(from, low), high - length);
  view.span = [start, start + length];
  for (const chart of charts) chart.setScale("x", { min: view.span[0], max: view.span[1] });
}

function selected(u) {
  if (u.select.width < 4) return;
  const from = u.posToVal(u.select.left, "x"), to = u.posToVal(u.select.left + u.select.width, "x");
  u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  setSpan(from, to);
}

function zoomBy(factor, centre = (view.span[0] + view.span[1]) / 2) {
  setSpan(centre - (centre - view.span[0]) * factor, centre + (view.span[1] - centre) * factor);
}

function moveBy(part) {
  const shift = part * (view.span[1] - view.span[0]);
  setSpan(view.span[0] + shift, view.span[1] + shift);
}

function panOrZoom(u, target, handler) {
  return (event) => {
    if (!event.shiftKey) return handler(event);
    event.preventDefault();
    const start = event.clientX, [from, to] = view.span, perPixel = (to - from) / u.over.clientWidth;
    const move = (e) => setSpan(from - (e.clientX - start) * perPixel, to - (e.clientX - start) * perPixel);
    document.addEventListener("mousemove", move);
    document.addEventListener("mouseup", () => document.removeEventListener("mousemove", move), { once: true });
    return null;
  };
}

function toggle(set, entry) {
  if (!set.delete(entry)) set.add(entry);
  draw();
}

function swatch(run) {
  const item = document.createElement("i");
  item.className = "swatch";
  item.style.background = shade(run.colour);
  return item;
}

function chip(run) {
  const { algorithm, label } = run;
  const item = button(swatch(run), "Show or hide; double-click for this one alone", !view.hidden.has(algorithm), () => toggle(view.hidden, algorithm));
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
  if (!sameTiming) view.span = fullSpan();
  draw();
}

function fillControls() {
  const place = (id) => document.getElementById(id);
  const timings = [...new Set(report.runs.map((run) => run.timing))];
  place("timings").hidden = timings.length < 2;
  place("timings").replaceChildren(...timings.map((t) => button(t, "Timing of the coupling", t === view.timing, () => setTiming(t))));
  const names = new Map(runsOf(view.timing).map((run) => [run.algorithm, run]));
  place("algorithms").replaceChildren(...[...names.values()].map(chip));
  const curves = { reference: "the signal without network", late: "what came out of the network in the run on top", sent: "the true signal in the run on top" };
  const titles = { reference: "reference", late: "late value", sent: "sent value" };
  place("curves").replaceChildren(...Object.keys(curves).map((c) => button(titles[c], curves[c], view.curves.has(c), () => toggle(view.curves, c))));
  place("axes").replaceChildren(
    button("fit reference", "Axes fit the reference and the stable runs", !view.all, () => setAll(false)),
    button("show all", "Axes fit every curve", view.all, () => setAll(true)));
  place("zoom").replaceChildren(
    button("◀", "Earlier", null, () => moveBy(-0.5)), button("−", "Zoom out", null, () => zoomBy(2)),
    button("whole run", "Whole run", null, () => setSpan(...fullSpan())),
    button("+", "Zoom in", null, () => zoomBy(0.5)), button("▶", "Later", null, () => moveBy(0.5)));
}

function setAll(all) {
  view.all = all;
  draw();
}

function markTable() {
  for (const row of document.querySelectorAll(".run")) row.classList.toggle("focus", report.runs[Number(row.dataset.run)] === view.focus);
}

/* Runs that leave the picture, and how far they go. */
function clipNote(place, signal) {
  const gone = [];
  for (const run of shownRuns(signal.name)) {
    const trace = run.traces[signal.name];
    const values = extent(curve(trace, "estimate"), 0, Infinity), reference = extent(column(trace.reference), 0, Infinity);
    if (!values || !reference) continue;
    const far = Math.abs(values[0]) > Math.abs(values[1]) ? values[0] : values[1];
    const size = Math.max(Math.abs(reference[0]), Math.abs(reference[1]));
    const span = reference[1] - reference[0];
    if (values[0] < reference[0] - 0.56 * span || values[1] > reference[1] + 0.56 * span) gone.push(`${run.label} reaches ${text(far, 3)}${signal.unit ? ` ${signal.unit}` : ""}${size ? `, ${text(Math.abs(far) / size, 2)} times the reference` : ""}`);
  }
  place.hidden = !gone.length || view.all;
  place.replaceChildren(`Leaves the picture: ${gone.join("; ")}. `, button("Show all", "", null, () => setAll(true)));
}

function legend(place, signal) {
  const entries = [];
  const put = (name, kind, stroke, read) => {
    const item = document.createElement("span"), value = document.createElement("b");
    item.append(mark(kind, stroke), name, " ", value);
    entries.push({ item, value, read });
  };
  const focus = view.focus.traces[signal.name];
  const any = longest(runsOf(view.timing).filter((run) => run.traces[signal.name]).map((run) => run.traces[signal.name]));
  if (view.curves.has("reference")) put("reference", "reference", theme().ink, (i) => text(column(any.reference)[i]));
  if (focus && !signal.watched && view.curves.has("sent")) put(`sent (${view.focus.label})`, "sent", theme().ink, (i) => text(column(focus.sent)[i]));
  if (focus && !signal.watched && view.curves.has("late")) put(`late value (${view.focus.label})`, "late", theme().muted, (i) => text(column(focus.received)[i]));
  for (const run of runsOf(view.timing).filter((r) => isShown(r) && r.traces[signal.name])) put(run.label, "", shade(run.colour), (i, t) => reading(run, signal, i, t));
  place.replaceChildren(...entries.map((entry) => entry.item));
  return (u) => {
    const i = u.cursor.idx;
    for (const { value, read } of entries) value.textContent = i === null || i === undefined || u.cursor.left < 0 ? "" : read(i, u.data[0][i]);
  };
}

function reading(run, signal, i, t) {
  const trace = run.traces[signal.name];
  if (signal.watched) return text(curve(trace, "estimate")[i]);
  const active = NAMES[codeAt(trace.active, t)], state = STATES[codeAt(trace.state, t)];
  const remarks = [active === run.algorithm ? "" : named(active), state].filter(Boolean).join(", ");
  return text(curve(trace, "estimate")[i]) + (remarks ? ` (${remarks})` : "");
}

function drawSignal(section) {
  const signal = report.signals[Number(section.dataset.signal)];
  const part = (name) => section.querySelector(name);
  for (const chart of section.querySelectorAll(".chart")) chart.replaceChildren();
  section.hidden = !runsOf(view.timing).some((run) => run.traces[signal.name]);
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
  for (const chart of charts) chart.destroy();
  fillControls();
  markTable();
  charts = [levelChart(document.getElementById("level"))];
  pending = new Set(document.querySelectorAll(".signal[data-signal]"));
  for (const section of pending) {
    near.unobserve(section);
    near.observe(section);
  }
}

function fit() {
  for (const chart of charts) chart.setSize({ width: Math.max(chart.root.parentElement.clientWidth, 240), height: chart.height });
}

function forPrint(on) {
  onPaper = on;
  draw();
  if (on) [...pending].forEach(drawPending);
  if (on) for (const chart of charts) chart.setSize({ width: 680, height: chart.height });
}

function start() {
  widenAxes(report.runs.map((run) => run.label));
  view.span = fullSpan();
  if (report.group > 1) document.getElementById("thinned").textContent = ` The run is long: each pair of points is the smallest and the largest value of ${report.group} macro steps.`;
  for (const row of document.querySelectorAll(".run")) row.addEventListener("click", () => focusOn(report.runs[Number(row.dataset.run)]));
  followers.push(follow);
  draw();
  dark.addEventListener("change", draw);
  window.addEventListener("resize", fit);
  window.addEventListener("beforeprint", () => forPrint(true));
  window.addEventListener("afterprint", () => forPrint(false));
}

if (view.focus) start();
