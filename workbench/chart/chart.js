/* A chart of lines over one quantity: legend, zoom by mouse and by keys, what it shows in words. */

import { FONT, decades, decadesOnly, number, plainNumbers, shade } from "./theme.js";
import { button, element, mark } from "../views/parts.js";

const AXIS = 66;
const DENSE = 4; // samples for each pixel, as in uPlot

/* options: title, note, x and y [labels], height, log, logX; range(lines, shown) -> [low, high]. */
export class Chart {
  constructor(parent, span, options) {
    this.span = span;
    this.options = options;
    this.hidden = new Set();
    this.drawn = { x: [0, 1], lines: [], bands: [], marks: [] };
    this.u = null;
    this.legend = element("div", { class: "legend" });
    this.place = element("div", { class: "chart", role: "img" });
    this.cursor = element("div", { class: "now", hidden: "" });
    const choice = element("div", { class: "choice", role: "group", "aria-label": `part of ${options.title} shown` },
      this.controls());
    const head = element("div", { class: "head" }, [element("h2", {}, [options.title]), choice]);
    const note = options.note ? [element("p", { class: "hint" }, [options.note])] : [];
    parent.append(element("section", { class: "figure" }, [head, ...note, this.legend, this.place]));
    span.followers.push(([min, max]) => this.u?.setScale("x", { min, max }));
    new ResizeObserver(() => this.fit()).observe(this.place);
  }

  controls() {
    const { span } = this;
    return [
      button("◀", "Earlier", () => span.move(-0.5)), button("−", "Zoom out", () => span.zoom(2)),
      button("all", "All of it", () => span.reset()), button("+", "Zoom in", () => span.zoom(0.5)),
      button("▶", "Later", () => span.move(0.5)),
    ];
  }

  /* x and the values of each line are arrays of one length; a line has name, colour, values, width, dash, steps. */
  show({ x, lines, bands = [], marks = [], words = "", y = this.options.y }) {
    const before = this.signature();
    this.drawn = { x, lines, bands, marks, y };
    this.place.setAttribute("aria-label", words);
    if (!this.u || before !== this.signature()) this.rebuild();
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
    this.u?.destroy();
    this.u = new uPlot(this.settings(), this.data(), this.place);
    this.u.over.append(this.cursor);
    this.entries();
  }

  width() {
    return Math.max(this.place.clientWidth, 240);
  }

  fit() {
    if (this.u && this.place.clientWidth) this.u.setSize({ width: this.width(), height: this.u.height });
  }

  settings() {
    const { options, span } = this, { x: xLabel, height, log, logX } = options;
    const common = { stroke: shade("muted"), font: FONT, labelFont: FONT, grid: { stroke: shade("grid"), width: 1 } };
    const ticks = { ticks: { stroke: shade("grid"), size: 5 }, labelGap: 0 };
    const lines = (logarithmic) => (logarithmic 
      ? { grid: { ...common.grid, filter: decadesOnly }, ticks: { ...ticks.ticks, filter: decadesOnly } } : {});
    const horizontal = { label: xLabel, size: 26, labelSize: 18, space: 70, values: logX ? decades : plainNumbers };
    const upright = { label: this.drawn.y, size: AXIS - 20, labelSize: 20, values: log ? decades : plainNumbers };
    return {
      width: this.width(), height, legend: { show: false }, padding: [8, 18, 0, 0],
      scales: {
        x: { time: false, distr: logX ? 3 : 1, range: () => span.shown },
        y: { distr: log ? 3 : 1, range: () => options.range(this.shownLines(), this.drawn.x, span.shown) },
      },
      axes: [
        { ...common, ...ticks, ...horizontal, ...lines(logX) }, { ...common, ...ticks, ...upright, ...lines(log) },
      ],
      cursor: {
        y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: 4 },
        bind: { dblclick: () => () => { span.reset(); return null; } },
      },
      series: [{}, ...this.shownLines().map(series)],
      hooks: {
        setSelect: [(u) => this.selected(u)], drawClear: [(u) => this.behind(u)], setCursor: [(u) => this.read(u)],
      },
    };
  }

  selected(u) {
    const { left, width } = u.select;
    if (width < 4) return;
    u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    this.span.show(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
  }

  /* Bands and marks, below the curves. */
  behind(u) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    for (const { low, high, colour } of this.drawn.bands) {
      const [from, to] = [low, high].map((v) => u.valToPos(v, "x", true));
      ctx.fillStyle = shade(colour) + (colour === "grid" ? "88" : "2b");
      ctx.fillRect(from, bbox.top, Math.max(to - from, 1), bbox.height);
    }
    for (const { at, colour } of this.drawn.marks) {
      ctx.fillStyle = shade(colour);
      ctx.fillRect(u.valToPos(at, "x", true), bbox.top, uPlot.pxRatio, bbox.height);
    }
    ctx.restore();
  }

  /* One button for each line; it hides it and reads its value at the cursor. */
  entries() {
    this.values = new Map();
    const items = this.drawn.lines.map((one) => {
      const value = element("b", {}), shown = !this.hidden.has(one.name);
      this.values.set(one.name, value);
      const item = button("", "Show or hide", () => this.toggle(one.name));
      item.setAttribute("aria-pressed", String(shown));
      item.append(mark(one.dash ? "late" : one.wide ? "reference" : "", shade(one.colour)), one.name, " ", value);
      return item;
    });
    const others = [...this.drawn.bands, ...this.drawn.marks].filter((one) => one.name);
    const named = new Map(others.map((one) => [one.name, one]));
    const rest = [...named.values()].map((one) =>
      element("span", {}, [mark(one.high === undefined ? "late" : "band", shade(one.colour)), one.name]));
    this.legend.replaceChildren(...items, ...rest);
  }

  toggle(name) {
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.rebuild();
    this.legend.querySelectorAll("button")[this.drawn.lines.findIndex((one) => one.name === name)]?.focus();
  }

  read(u) {
    const at = u.cursor.idx, gone = at === null || at === undefined || u.cursor.left < 0;
    this.shownLines().forEach((one, i) => {
      this.values.get(one.name).textContent = gone ? "" : number(u.data[i + 1][at], 3);
    });
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
