/* A chart of the page: lines over one quantity that follow what is set; what it shows in words. */

import { element } from "../views/parts.js";
import { Legend, across, behind, cursorAt, settings, upright, widthOf, zoomButtons } from "./chart.js";
import { decades, decadesOnly, number, plainNumbers } from "./numbers.js";
import { shade } from "./theme.js";

const DENSE = 4; // samples for each pixel, as in uPlot

/* options: title, note, x and y [labels], height, log, logX; range(lines, shown) -> [low, high]. */
export class LiveChart {
  constructor(parent, span, options) {
    this.span = span;
    this.options = options;
    this.hidden = new Set();
    this.drawn = { x: [0, 1], lines: [], bands: [], marks: [] };
    this.u = null;
    this.legend = new Legend(element("div", { class: "legend" }));
    this.place = element("div", { class: "chart", role: "img" });
    this.cursor = element("div", { class: "now", hidden: "" });
    const choice = element("div", { class: "choice", role: "group", "aria-label": `part of ${options.title} shown` },
      zoomButtons(span));
    const head = element("div", { class: "head" }, [element("h2", {}, [options.title]), choice]);
    const note = options.note ? [element("p", { class: "hint" }, [options.note])] : [];
    parent.append(element("section", { class: "figure" }, [head, ...note, this.legend.place, this.place]));
    span.followers.push(([min, max]) => this.u?.setScale("x", { min, max }));
    new ResizeObserver(() => this.fit()).observe(this.place);
  }

  /* x and the values of each line are arrays of one length; a line has name, colour, values, width, dash, steps. */
  show({ x, lines, bands = [], marks = [], words = "", y = this.options.y }) {
    this.drawn = { x, lines, bands, marks, y };
    this.place.setAttribute("aria-label", words);
    if (!this.u || this.made !== this.signature()) this.rebuild();
    else this.u.setData(this.data(), false);
    this.u.setScale("x", { min: this.span.shown[0], max: this.span.shown[1] });
  }

  signature() {
    const { lines, y } = this.drawn;
    return JSON.stringify([y, ...this.shownLines().map((one) => [one.name, one.colour, one.dash]), lines.length]);
  }

  shownLines() {
    return this.drawn.lines.filter((one) => !this.hidden.has(one.name));
  }

  data() {
    const lines = this.shownLines();
    return [this.drawn.x, ...lines.map((one) => (this.options.log ? one.values.map(positive) : one.values))];
  }

  rebuild() {
    this.made = this.signature();
    this.u?.destroy();
    this.u = new uPlot(this.settings(), this.data(), this.place);
    this.u.over.append(this.cursor);
    this.entries();
  }

  fit() {
    if (this.u && this.place.clientWidth) this.u.setSize({ width: widthOf(this.place), height: this.u.height });
  }

  settings() {
    const { span, options: { x, height, log, logX, range } } = this;
    const lines = (made, logarithmic) => (logarithmic ? { ...made, grid: { ...made.grid, filter: decadesOnly },
      ticks: { ...made.ticks, filter: decadesOnly } } : made);
    return settings(span, {
      width: widthOf(this.place), height, right: 18, log: logX,
      y: { distr: log ? 3 : 1, range: () => range(this.shownLines(), this.drawn.x, span.shown) },
      axes: [lines(across(x, logX), logX), lines(upright(this.drawn.y, log ? decades : plainNumbers, 30), log)],
      series: [{}, ...this.shownLines().map(series)],
      hooks: {
        drawClear: [(u) => behind(u, this.drawn.bands, this.drawn.marks)], setCursor: [(u) => this.read(u)],
      },
    });
  }

  entries() {
    const curves = this.drawn.lines.map(({ name, dash, wide, colour }) => ({
      name, kind: dash ? "late" : wide ? "reference" : "", stroke: shade(colour), hidden: this.hidden.has(name),
      toggle: () => this.toggle(name) }));
    const others = [...this.drawn.bands, ...this.drawn.marks].map(({ name, colour, high }) => ({
      name, kind: high === undefined ? "late" : "band", stroke: shade(colour), still: true }));
    this.legend.fill([...curves, ...others]);
  }

  toggle(name) {
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.rebuild();
    const at = this.drawn.lines.findIndex((one) => one.name === name);
    this.legend.place.querySelectorAll("button")[at]?.focus();
  }

  read(u) {
    const at = cursorAt(u), values = (one, i) => [one.name, number(u.data[i + 1][at], 3)];
    this.legend.tell(new Map(at === null ? [] : this.shownLines().map(values)));
  }

  /* A line at a place of x that costs no redrawing; null takes it away. */
  point(at) {
    const [from, to] = this.span.shown;
    this.cursor.hidden = at === null || at < from || at > to;
    if (!this.cursor.hidden && this.u) this.cursor.style.transform = `translateX(${this.u.valToPos(at, "x")}px)`;
  }
}

function positive(value) {
  return value > 0 && Number.isFinite(value) ? value : null;
}

function series({ colour, width = 1.6, dash, steps, wide }) {
  const stroke = wide ? shade(colour) + "44" : shade(colour);
  const paths = steps ? stairs() : undefined;
  return { stroke, width: wide ? 6 : width, dash, paths, points: { show: false }, spanGaps: true };
}

/* Steps, which uPlot draws one by one; where they are denser than pixels, its lines show the same in a few strokes. */
function stairs() {
  const few = uPlot.paths.stepped({ align: 1 }), many = uPlot.paths.linear();
  return (u, line, from, to, ...rest) => (to - from < DENSE * u.bbox.width ? few : many)(u, line, from, to, ...rest);
}
