/* A drawing of the two masses that moves: without latency, with nothing done about it, with an algorithm.

   Mass 2 is drawn where the coupling spring, whose force is f, has it: at what it knows of mass 1 plus f/cc. */

import { element } from "./parts.js";
import { shade } from "../chart/theme.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 480;
const ROW = 58;
const HOMES = [150, 330];
const HALF = 24;
const REACH = 40;
const SCALE = 26;
const PERIOD = 1000;

function drawn(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

/* A spring from one place to another as a zigzag. */
function spring(from, to, y) {
  const parts = 8, width = (to - from) / parts;
  const corner = (_, i) => `${(from + (i + 1) * width).toFixed(1)},${y + (i % 2 ? -6 : 6)}`;
  const points = Array.from({ length: parts - 1 }, corner);
  return `${from.toFixed(1)},${y} ${points.join(" ")} ${to.toFixed(1)},${y}`;
}

export class Masses {
  constructor(parent, told) {
    this.told = told;
    this.runs = [];
    this.svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${3 * ROW + 6}`, role: "img" });
    this.play = element("button", { type: "button" }, ["pause"]);
    this.play.addEventListener("click", () => this.turn(!this.moving));
    this.clock = element("span", { class: "clock" });
    const bar = element("div", { class: "playing" }, [this.play, this.clock]);
    parent.append(element("div", { class: "masses" }, [this.svg, bar]));
    this.at = 0;
    this.moving = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.turn(this.moving);
  }

  turn(moving) {
    this.moving = moving;
    this.before = null;
    this.play.textContent = moving ? "pause" : "play";
    if (moving) requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    if (!this.moving) return;
    if (this.before !== null && this.svg.clientWidth) this.go(this.at + Math.min(now - this.before, 100) / PERIOD);
    this.before = now;
    requestAnimationFrame((next) => this.frame(next));
  }

  go(at) {
    this.at = this.end && at >= this.end ? 0 : at;
    for (const run of this.runs) this.move(run);
    this.clock.textContent = `${this.at.toFixed(1)} s`;
    this.told(this.at);
  }

  /* Rows are { label, note, colour, time, x, far, force }; `height` is what a large deflection is [m]. */
  show(rows, height, stiffness, words) {
    this.end = rows[0].time[rows[0].time.length - 1];
    this.scale = SCALE / (height || 1);
    this.stiffness = stiffness;
    this.svg.setAttribute("aria-label", words);
    this.svg.replaceChildren();
    this.runs = rows.map((row, i) => this.row(row, i));
    this.go(Math.min(this.at, this.end));
  }

  row(row, number) {
    const y = ROW * number + 34, colour = shade(row.colour), muted = shade("muted");
    const common = { fill: "none", stroke: muted, "stroke-width": 1.5 };
    const line = (extra) => this.svg.appendChild(drawn("polyline", { ...common, ...extra }));
    for (const at of [40, WIDTH - 40]) line({ points: `${at},${y - 20} ${at},${y + 18}`, "stroke-width": 3 });
    const springs = [line({}), line({}), line({ "stroke-dasharray": number ? "3 4" : "none" })];
    const boxes = HOMES.map(() => this.svg.appendChild(drawn("rect", {
      y: y - 16, width: 2 * HALF, height: 32, rx: 5, fill: colour })));
    const above = { y: y - 22, "font-size": 13 };
    this.svg.append(drawn("text", { ...above, x: 46, fill: shade("ink") }, row.label),
      drawn("text", { ...above, x: WIDTH - 46, fill: muted, "text-anchor": "end" }, row.note));
    return { ...row, y, springs, boxes };
  }

  move({ time, x, far, force, y, springs, boxes }) {
    const at = this.index(time), known = (v) => (Number.isFinite(v) ? v : 0);
    const inside = (v) => Math.max(-REACH, Math.min(REACH, known(v) * this.scale));
    const places = [HOMES[0] + inside(x[at]), HOMES[1] + inside(far[at] + force[at] / this.stiffness)];
    boxes.forEach((box, i) => box.setAttribute("x", (places[i] - HALF).toFixed(1)));
    springs[0].setAttribute("points", spring(40, places[0] - HALF, y));
    springs[1].setAttribute("points", spring(places[1] + HALF, WIDTH - 40, y));
    springs[2].setAttribute("points", spring(places[0] + HALF, places[1] - HALF, y));
  }

  index(time) {
    return Math.max(0, Math.min(time.length - 1, Math.round(this.at / (time[1] - time[0]))));
  }
}
