/* What a reader sets: sliders with a number beside them, choices. A wrong number is refused by a sentence. */

import { element } from "./parts.js";
import { number } from "../chart/numbers.js";

const PLACES = 400;

/* The number that is typed, NaN where there is none. */
export function numberIn(text) {
  const typed = text.trim().replace(",", ".").replace("−", "-"), value = typed === "" ? NaN : Number(typed);
  return Number.isFinite(value) ? value : NaN;
}

/* about: key, label, unit, least, most, step; `log` for a slider of shares. `changed(value)` is told of every value. */
export class Slider {
  constructor(about, changed) {
    this.about = about;
    this.changed = changed;
    const { key, label, unit = "" } = about, id = `field-${key}`;
    const ends = about.log ? { min: 0, max: PLACES, step: 1 } : { min: about.least, max: about.most, step: about.step };
    this.range = element("input", { type: "range", id, ...ends });
    const told = { "aria-label": `${label}, number`, "aria-describedby": `${id}-wrong` };
    this.text = element("input", { type: "text", inputmode: "decimal", autocomplete: "off", size: "7", ...told });
    this.wrong = element("p", { class: "wrong", id: `${id}-wrong`, role: "alert" });
    const name = element("label", { for: id }, [label, " ", element("span", { class: "unit" }, [unit])]);
    this.root = element("div", { class: "field" }, [name, this.text, this.range, this.wrong]);
    this.range.addEventListener("input", () => this.take(this.fromPlace(Number(this.range.value))));
    this.text.addEventListener("change", () => this.typed());
  }

  typed() {
    const { about } = this, value = numberIn(this.text.value), whole = !about.whole || Number.isInteger(value);
    const good = whole && value >= about.least && value <= about.most;
    this.text.setAttribute("aria-invalid", String(!good));
    if (good) { this.take(value); return; }
    const allowed = `${about.whole ? "whole numbers from " : ""}${number(about.least)} to ${number(about.most)}`;
    this.wrong.textContent = `${about.label} = ${this.text.value.trim() || "nothing"}, allowed ${allowed}` +
      `${about.unit ? ` ${about.unit}` : ""}.`;
  }

  take(value) {
    this.put(value);
    this.changed(value);
  }

  /* Shows a value without telling anybody. */
  put(value) {
    this.range.value = String(this.toPlace(value));
    this.text.value = String(value);
    this.range.setAttribute("aria-valuetext", `${this.text.value} ${this.about.unit ?? ""}`.trim());
    this.text.setAttribute("aria-invalid", "false");
    this.wrong.textContent = "";
  }

  /* Other ends of the slider; a number may still be typed within `about`. */
  reach(least, most) {
    this.ends = { least, most };
  }

  /* Other limits and another step, of what is typed too. */
  limit({ least, most, step }) {
    this.about = { ...this.about, least, most, step };
    Object.assign(this.range, { min: least, max: most, step });
  }

  fromPlace(at) {
    const { least, most, log, step } = { ...this.about, ...this.ends };
    if (log) return Number((least * (most / least) ** (at / PLACES)).toPrecision(3));
    return Number((Math.round(at / step) * step).toPrecision(9));
  }

  toPlace(value) {
    const { least, most, log } = { ...this.about, ...this.ends };
    return log ? PLACES * Math.log(value / least) / Math.log(most / least) : value;
  }
}

/* Returns a field for each key of what may be set; `set(key, value)` is told. */
export function fieldsOf(view, about, set) {
  return Object.fromEntries(Object.entries(about).map(([key, one]) => {
    const Field = one.options ? Choice : Slider;
    return [key, new Field({ key: `${view}-${key}`, ...one }, (value) => set(key, value))];
  }));
}

/* One of some names; options are { name, label }. */
export class Choice {
  constructor({ key, label, options }, changed) {
    const id = `field-${key}`;
    this.select = element("select", { id });
    this.root = element("div", { class: "field choose" }, [element("label", { for: id }, [label]), this.select]);
    this.select.addEventListener("change", () => changed(this.select.value));
    this.offer(options);
  }

  offer(options) {
    this.select.replaceChildren(...options.map((one) => element("option", { value: one.name }, [one.label])));
  }

  put(value) {
    this.select.value = value;
  }
}
