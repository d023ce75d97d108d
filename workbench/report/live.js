/* A bench while it runs, or what was seen of it: signals, latency, loss, skill, and the state of each signal. */

import { LiveChart } from "../chart/live.js";
import { number } from "../chart/numbers.js";
import { Span } from "../chart/span.js";
import { usePalette, usePaper } from "../chart/theme.js";
import { element, say } from "../views/parts.js";
import { TIME, report } from "./data.js";
import { Seen } from "./seen.js";

const TAIL = 10; // seconds that are shown while the page follows: at 200 points a second all of them are there
const STATES = ["plain wire", "starting", "running", "holding", "lost"];
const RETRY = 1000; // milliseconds
const MOST_SIGNALS = 8; // with a chart of their own

const { sides, signals, cases, bonds } = report;
export const seen = new Seen();
const span = new Span();
const place = (id) => document.getElementById(id);
const page = { charts: [], kept: 0, drawn: false };
const other = (side) => sides[1 - sides.indexOf(side)];
const sentBy = (side) => signals.filter((one) => one.from === side);

/* Columns of a signal in the points of its sender and of its receiver. */
function columnsOf(signal) {
  const receiver = other(signal.from), here = sentBy(signal.from), at = here.indexOf(signal);
  const first = 1 + sentBy(receiver).length;
  return { receiver, at, sent: 1 + at, received: first + at, estimate: first + here.length + at };
}

function course(signal) {
  const { receiver, sent, received, estimate } = columnsOf(signal), shown = Number(place("case").value);
  const there = seen.points(shown, signal.from), here = seen.points(shown, receiver);
  const column = (rows, i) => rows.map((row) => row[i]);
  const [x, ...values] = uPlot.join([
    [column(there, 0), column(there, sent)], [column(here, 0), column(here, received), column(here, estimate)]]);
  const { colour } = cases[shown], names = ["sent", "received", "estimate"];
  const looks = [{ colour: "muted", wide: true }, { colour: "wire", width: 1, steps: true, dash: [3, 3] }, { colour }];
  return { x, lines: names.map((name, i) => ({ name, values: values[i] ?? [], ...looks[i] })) };
}

/* Curves over time of figures of both sides: `parts` gives name, look and value of each of a row. */
function figures(parts) {
  const shown = Number(place("case").value);
  const tables = [], lines = [];
  sides.forEach((side, i) => {
    const rows = seen.figures(shown, side), found = parts(side, i);
    tables.push([rows.map((row) => row[0]), ...found.map(({ value }) => rows.map((row, at) => value(row, rows, at)))]);
    lines.push(...found);
  });
  const [x, ...values] = uPlot.join(tables);
  return { x, lines: lines.map(({ value, ...look }, i) => ({ ...look, values: values[i] ?? [] })) };
}

const dashOf = (i) => [undefined, [6, 3], [2, 2], [9, 3, 2, 3]][i % 4];
const wayTo = (side) => `${other(side)} to ${side}`;
const milli = (value) => (value === undefined || value === null ? null : 1e3 * value);

function latency() {
  return figures((side, i) => [["least", 0, 0.7], ["median", 1, 1.8], ["largest", 2, 0.7]].map(([name, at, width]) => ({
    name: `${wayTo(side)}, ${name}`, colour: at === 1 ? "ink" : "muted", width, dash: dashOf(i),
    value: (row) => milli(row[1][at]) })));
}

/* Share of the messages that were lost within the last ten rows. */
function loss() {
  const value = (row, rows, at) => {
    // a message that is overtaken was counted as lost until it came
    const before = rows[Math.max(at - 10, 0)], lost = row[2][1] - before[2][1], came = row[2][0] - before[2][0];
    return lost + came > 0 ? Math.max(0, (100 * lost) / (lost + came)) : null;
  };
  return figures((side, i) => [{ name: wayTo(side), colour: "bad", dash: dashOf(i), value }]);
}

function skill() {
  return figures((side, i) => sentBy(other(side)).slice(0, MOST_SIGNALS).map(({ name }, at) => ({
    name, colour: cases[Number(place("case").value)].colour, dash: dashOf(i + 2 * at), value: (row) => row[4][at] ?? null })));
}

/* Energy that the coupling of each bond has created since the start: what it gave to both sides, where both tell it. */
export function created() {
  const shown = Number(place("case").value), [here, there] = sides.map((side) => seen.figures(shown, side));
  const given = new Map(there.map((row) => [row[0], row[5]])), both = here.filter((row) => given.has(row[0]));
  const sum = (row, i) => {
    const parts = [row[5][i], given.get(row[0])[i]];
    return parts.includes(null) ? null : parts[0] + parts[1];
  };
  return { x: both.map((row) => row[0]), lines: bonds.map((name, i) => ({
    name, colour: cases[shown].colour, width: 1.8, dash: dashOf(i), values: both.map((row) => sum(row, i)) })) };
}

/* What lies in the shown span, with some room; `least` and `most` are always seen. */
function room(least = Infinity, most = -Infinity) {
  return (lines, x, [from, to]) => {
    let low = least, high = most;
    for (const { values } of lines) {
      for (let i = 0; i < x.length; i += 1) {
        if (x[i] < from || x[i] > to || values[i] === null || values[i] === undefined) continue;
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
      }
    }
    if (!(low <= high)) return [0, 1];
    const margin = 0.06 * (high - low || Math.abs(high) || 1);
    return [low - margin, high + margin];
  };
}

function makeCharts() {
  const over = { x: TIME, height: 210, range: room() }, parent = place("charts");
  const unit = ({ name, unit: u }) => (u && u !== "1" ? `${name} / ${u}` : name);
  const add = (options, content) => {
    const read = () => ({ ...content(), words: `${options.title}, over time` });
    page.charts.push([new LiveChart(parent, span, { ...over, ...options }), read]);
  };
  for (const signal of signals.slice(0, MOST_SIGNALS)) {
    add({ title: `${signal.name}, ${signal.from} to ${other(signal.from)}`, y: unit(signal) }, () => course(signal));
  }
  add({ title: "Latency", y: "latency / ms", range: room(0) }, latency);
  add({ title: "Lost messages in a second", y: "lost / %", range: room(0, 1) }, loss);
  add({ title: "Skill", y: "skill", range: room(0, 1) }, skill);
  if (bonds.length) add({ title: "Energy that the coupling has created / J", y: "", range: room(0, 0) }, created);
}

function now() {
  const shown = Number(place("case").value);
  place("now").replaceChildren(...signals.map((signal) => {
    const { receiver, at } = columnsOf(signal), rows = seen.figures(shown, receiver), row = rows[rows.length - 1];
    const [, spread, counts, status, skills] = row ?? [0, [], [], [], []];
    const share = (part, whole) => (whole ? `${number((100 * part) / whole, 3)} %` : "—");
    const texts = [skills[at] ?? null, milli(spread[1])].map((value) => (value === null ? "—" : number(value, 3)));
    const state = row ? STATES[status[4 * at + 1] ?? 0] : "—";
    texts.push(share(counts[1], counts[0] + counts[1]), String(counts[2] ?? "—"), share(counts[4], counts[5]));
    return element("tr", {}, [element("th", { scope: "row" }, [signal.name]),
      element("td", {}, [`${signal.from} → ${receiver}`]), element("td", {}, [state]),
      ...texts.map((text) => element("td", { class: "num" }, [text]))]);
  }));
}

function draw() {
  page.drawn = false;
  const shown = Number(place("case").value), [first, last] = seen.ends(shown);
  if (last > first) {
    span.setFull(first, last);
    if (place("follow").checked) span.show(Math.max(first, last - TAIL), last);
  }
  for (const [chart, content] of page.charts) chart.show(content());
  now();
}

/* However many frames come, the page is drawn once for each picture of the screen. */
function drawSoon() {
  if (!page.drawn) requestAnimationFrame(draw);
  page.drawn = true;
}

/* The run that is under way is shown, until the reader takes another one. */
function take(frame) {
  const newest = seen.newest;
  seen.add(frame);
  if (seen.newest !== newest && Number(place("case").value) === Math.max(newest, 0)) place("case").value = seen.newest;
  drawSoon();
}

function takeAll(found) {
  seen.clear();
  for (const one of found) seen.restore(one);
  place("case").value = Math.max(seen.newest, 0);
  drawSoon();
}

function listen() {
  const events = new EventSource("events"), said = (text) => say(place("said"), text);
  events.addEventListener("open", () => said("The bench is running."));
  events.addEventListener("history", ({ data }) => takeAll(JSON.parse(data)));
  events.addEventListener("frame", ({ data }) => take(JSON.parse(data)));
  events.addEventListener("end", () => { events.close(); said("The bench is over: this is what was seen of it."); });
  events.addEventListener("error", () => {
    said("No answer from the bench; asking again.");
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, RETRY);
  });
}

export function start() {
  usePalette(report.palette, () => { for (const [chart] of page.charts) chart.rebuild(); });
  usePaper(() => { for (const [chart] of page.charts) chart.rebuild(); });
  place("case").replaceChildren(...cases.map(({ name }, i) => element("option", { value: String(i) }, [name])));
  place("case").addEventListener("change", drawSoon);
  place("follow").addEventListener("change", () => { if (!place("follow").checked) span.reset(); drawSoon(); });
  makeCharts();
  if (report.seen) {
    place("follow").checked = false;
    takeAll(report.seen);
  } else listen();
}
