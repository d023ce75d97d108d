/* What all charts have, in reports and in the page: axes, zoom, legend, what lies behind the curves. */

import { button, element, mark } from "../views/parts.js";
import { decades, plainNumbers } from "./numbers.js";
import { FONT, shade } from "./theme.js";

const LEAST = 240; // pixels of a chart's width
const FEW = 4; // pixels that are dragged by accident

/* Pixels left of all charts of a page. */
export const room = { left: 66 };

/* All charts of a page begin at one place, behind the longest of some names. */
export function widen(names) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = FONT;
  room.left = Math.ceil(Math.max(room.left, ...names.map((name) => pen.measureText(name).width + 16)));
}

export function widthOf(place) {
  return Math.max(place.clientWidth, LEAST);
}

function axis(more) {
  const lines = { grid: { stroke: shade("grid"), width: 1 }, ticks: { stroke: shade("grid"), size: 5 } };
  return { stroke: shade("muted"), font: FONT, labelFont: FONT, labelGap: 0, values: plainNumbers, ...lines, ...more };
}

/* The axis to the right, bare without a label. */
export function across(label, log = false) {
  const common = { labelSize: 18, space: 70 };
  if (!label) return axis({ ...common, size: 6, values: (u, splits) => splits.map(() => "") });
  return axis({ ...common, label, size: 26, values: log ? decades : plainNumbers });
}

export function upright(label, values = plainNumbers, space = 32) {
  return axis({ label, size: room.left - 20, labelSize: 20, values, space });
}

/* The axis of rows with names, from the top down. */
export function ofRows(names) {
  const own = { splits: () => names.map((_, i) => i + 0.5), values: () => names, filter: (u, splits) => splits };
  return axis({ ...own, size: room.left, grid: { show: false }, ticks: { show: false } });
}

/* Settings of uPlot for a chart that shows a span of x, with zoom by mouse; `parts` are its own. Cursors of charts with
   one `sync` go together. */
export function settings(span, { right, top = 8, log = false, y, hooks, sync = null, ...parts }) {
  const all = () => () => { span.reset(); return null; };
  const pub = (type) => type === "mousemove" || type === "mouseleave";
  return {
    legend: { show: false }, padding: [top, right, 0, 0],
    scales: { x: { time: false, distr: log ? 3 : 1, range: () => span.shown }, y },
    cursor: {
      y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: FEW },
      bind: { mousedown: (u, target, drag) => moved(u, span, drag), dblclick: all },
      sync: { key: sync, scales: ["x", null], filters: { pub } },
    },
    hooks: { setSelect: [(u) => selected(u, span)], ready: [(u) => pinched(u, span)], ...hooks },
    ...parts,
  };
}

function selected(u, span) {
  const { left, width } = u.select;
  if (width < FEW) return;
  u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  span.show(u.posToVal(left, "x"), u.posToVal(left + width, "x"));
}

/* With shift the mouse moves what is shown. */
function moved(u, span, drag) {
  return (event) => {
    if (!event.shiftKey) return drag(event);
    event.preventDefault();
    const start = event.clientX, { shown } = span;
    const move = ({ clientX }) => span.move((start - clientX) / u.over.clientWidth, shown);
    document.addEventListener("mousemove", move);
    document.addEventListener("mouseup", () => document.removeEventListener("mousemove", move), { once: true });
    return null;
  };
}

/* Pinching on a touchpad arrives as a wheel with ctrl; a plain wheel scrolls the page. */
function pinched(u, span) {
  u.over.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.cancelable) event.preventDefault();
    span.zoom(1.002 ** event.deltaY, u.posToVal(event.offsetX, "x"));
  }, { passive: false });
}

export function zoomButtons(span, whole = "all", title = "All of it") {
  return [
    button("◀", "Earlier", () => span.move(-0.5)), button("−", "Zoom out", () => span.zoom(2)),
    button(whole, title, () => span.reset()), button("+", "Zoom in", () => span.zoom(0.5)),
    button("▶", "Later", () => span.move(0.5)),
  ];
}

/* Draws bands and marks, below the curves, across x or `upwards` across y. */
export function behind(u, bands, marks) {
  const { ctx, bbox } = u, pixel = uPlot.pxRatio;
  const at = (one, value) => u.valToPos(value, one.upwards ? "y" : "x", true);
  const fill = (one, from, length) => (one.upwards
    ? ctx.fillRect(bbox.left, from, bbox.width, length) : ctx.fillRect(from, bbox.top, length, bbox.height));
  clipped(u, 0, () => {
    for (const one of bands) {
      const ends = [at(one, one.low), at(one, one.high)];
      ctx.fillStyle = shade(one.colour) + (one.alpha ?? "2b");
      fill(one, Math.min(...ends), Math.max(Math.abs(ends[1] - ends[0]), 1));
    }
    for (const one of marks) {
      if (one.solid) {
        ctx.fillStyle = shade(one.colour);
        fill(one, at(one, one.at), pixel);
      } else dashed(u, one.upwards, at(one, one.at), shade(one.colour));
    }
  });
}

/* Draws nothing outside the axes, but for some pixels above and below. */
export function clipped({ ctx, bbox }, beyond, draw) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top - beyond, bbox.width, bbox.height + 2 * beyond);
  ctx.clip();
  draw();
  ctx.restore();
}

function dashed({ ctx, bbox }, upwards, at, colour) {
  const [x, y] = [bbox.left + bbox.width, bbox.top + bbox.height];
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.3 * uPlot.pxRatio;
  ctx.setLineDash([5 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
  ctx.beginPath();
  ctx.moveTo(upwards ? bbox.left : at, upwards ? at : bbox.top);
  ctx.lineTo(upwards ? x : at, upwards ? at : y);
  ctx.stroke();
}

/* The index that the cursor of a chart is at, null if it is not there. */
export function cursorAt(u) {
  return u.cursor.left < 0 ? null : u.cursor.idx ?? null;
}

/* Names of curves, and their values at the cursor. */
export class Legend {
  constructor(place) {
    this.place = place;
    this.values = new Map();
  }

  /* Entries have name, kind and stroke; those with `toggle` are buttons, pressed unless `hidden`; `still` ones have no
     value. The first of a name stands for all. */
  fill(entries) {
    this.values.clear();
    const names = entries.map(({ name }) => name);
    const firsts = entries.filter(({ name }, i) => name && names.indexOf(name) === i);
    this.place.replaceChildren(...firsts.map((one) => this.item(one)));
  }

  item({ name, kind, stroke, toggle, hidden = false, still = false }) {
    const made = toggle ? button("", "Show or hide", toggle, !hidden) : element("span"), value = element("b");
    made.append(mark(kind, stroke), name, ...(still ? [] : [" ", value]));
    if (!still) this.values.set(name, value);
    return made;
  }

  /* Shows a text for each name that `texts` has, none for the others. */
  tell(texts) {
    for (const [name, value] of this.values) value.textContent = texts.get(name) ?? "";
  }
}
