"use strict";
/* What every chart needs: colours, axes, numbers on them, buttons, spans that charts share. */

const FONT = '12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const printing = window.matchMedia("print");
const dark = window.matchMedia("(prefers-color-scheme: dark)");
let axisWidth = 66;
let onPaper = false;
let plots = [];

/* What is told of a new span of the quantity to the right by those who changed it. */
const followers = [];

function tell(source, quantity, from, to) {
  for (const follow of followers) if (follow !== source) follow(quantity, from, to);
}

function theme() {
  return report.palette[dark.matches && !printing.matches && !onPaper ? "dark" : "light"];
}

function shade(name) {
  return theme()[name];
}

/* All charts of a page begin at one place, behind the longest of some names. */
function widenAxes(names) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = FONT;
  axisWidth = Math.ceil(Math.max(axisWidth, ...names.map((name) => pen.measureText(name).width + 16)));
}

function axes(xLabel, yLabel, values, space = 32) {
  const { muted, grid } = theme();
  const common = { stroke: muted, font: FONT, labelFont: FONT, ticks: { stroke: grid, size: 5 } };
  const x = { ...common, grid: { stroke: grid, width: 1 }, size: xLabel ? 26 : 6, labelSize: 18, labelGap: 0, space: 70 };
  const y = { ...common, grid: { stroke: grid, width: 1 }, size: axisWidth - 20, label: yLabel, labelSize: 20, labelGap: 0, space };
  if (xLabel) x.label = xLabel; else x.values = (u, splits) => splits.map(() => "");
  x.values ??= plainNumbers;
  y.values = values ?? plainNumbers;
  return [x, y];
}

function plainNumbers(u, splits, axis, space, step) {
  const largest = Math.max(...splits.map(Math.abs));
  if (largest >= 1e4 && largest < 1e8) return plainNumbers(u, splits.map((v) => v / 1e3), axis, space, step / 1e3).map((v) => (v === "0" ? v : `${v}k`));
  if (largest >= 1e5 || largest < 1e-3) return splits.map((v) => (v === 0 ? "0" : v.toExponential(1).replace("-", "−")));
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (isShort(step) ? 0 : 1));
  return splits.map((v) => v.toFixed(Math.min(decimals, 8)).replace("-", "−"));
}

/* On a logarithmic axis: decades; where it shows fewer than two of them, every number that has room. */
function decades(u, splits) {
  const known = splits.filter((v) => v !== null);
  const wide = known.length > 1 && Math.max(...known) >= 99 * Math.min(...known);
  return splits.map((v) => (v === null || (wide && !isDecade(v)) ? "" : isDecade(v) && (v >= 1e4 || v < 1e-2) ? power(Math.round(Math.log10(v))) : String(Number(v.toPrecision(2)))));
}

/* On an axis that is linear about 0 and logarithmic beyond. */
function bothSides(u, splits) {
  return splits.map((v) => (v === 0 ? "0" : v !== null && isDecade(Math.abs(v)) ? (v < 0 ? "−" : "") + decades(u, [Math.abs(v)])[0] : ""));
}

function isDecade(value) {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-6;
}

function isShort(step) {
  const digits = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
  return Math.abs(digits - Math.round(digits)) < 1e-6;
}

function button(name, title, pressed, action) {
  const item = document.createElement("button");
  item.type = "button";
  if (title) item.title = title;
  if (pressed !== null) item.setAttribute("aria-pressed", String(pressed));
  item.append(name);
  item.addEventListener("click", action);
  return item;
}

/* A line's mark in a legend. */
function mark(kind, stroke) {
  const item = document.createElement("i");
  item.className = `key ${kind}`;
  item.style.setProperty("--own", stroke);
  return item;
}

/* Pinching on a touchpad arrives as a wheel with ctrl; a plain wheel scrolls the page. */
function pinched(u, zoom) {
  u.over.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    if (event.cancelable) event.preventDefault();
    zoom(1.002 ** event.deltaY, u.posToVal(event.offsetX, "x"));
  }, { passive: false });
}
