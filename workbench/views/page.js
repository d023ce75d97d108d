/* The frame of all views: tabs, the link that holds the settings, what is said if something fails. */

import { usePalette } from "../chart/theme.js";
import { Client, lacking } from "./client.js";
import { element } from "./parts.js";
import { readLink, writeLink } from "./settings.js";
import { RecordingView } from "./recording.js";
import { SystemView } from "./system.js";

const VIEWS = [["system", "Coupled system", SystemView], ["recording", "Recording", RecordingView]];

export function openPage() {
  const place = document.getElementById("main");
  const missing = lacking();
  if (missing) {
    place.append(element("p", { class: "warning", role: "alert" }, [missing]));
    return;
  }
  const data = JSON.parse(document.getElementById("data").textContent);
  const client = new Client((message) => failed(place, message));
  client.begin(data.engine, JSON.parse(document.getElementById("wasm").textContent))
    .catch((error) => failed(place, error.message));
  const frame = new Frame(place, data, client);
  usePalette(data.palette, () => frame.redraw());
  frame.open(location.hash);
  window.addEventListener("hashchange", () => frame.open(location.hash));
}

function failed(place, message) {
  place.prepend(element("p", { class: "warning", role: "alert" }, [`The computation could not begin: ${message}.`]));
}

class Frame {
  constructor(place, data, client) {
    this.place = place;
    this.data = data;
    this.client = client;
    this.made = new Map();
    this.opened = new Set();
    this.tabs = new Map(VIEWS.map(([name, label]) => [name, this.tab(name, label)]));
    document.querySelector(".tabs").append(...this.tabs.values());
    this.panels = new Map(VIEWS.map(([name]) => [name, this.panel(name)]));
    place.append(...this.panels.values());
  }

  tab(name, label) {
    const of = { role: "tab", id: `tab-${name}`, "aria-controls": `view-${name}` };
    const made = element("button", { type: "button", ...of }, [label]);
    made.addEventListener("click", () => this.show(name));
    made.addEventListener("keydown", (event) => this.turned(event, name));
    return made;
  }

  panel(name) {
    return element("div", { role: "tabpanel", id: `view-${name}`, "aria-labelledby": `tab-${name}`, hidden: "" });
  }

  /* Arrows walk along the tabs, as in any tab list. */
  turned(event, name) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const names = [...this.tabs.keys()], next = names[(names.indexOf(name) + by + names.length) % names.length];
    this.show(next);
    this.tabs.get(next).focus();
  }

  open(address) {
    const { view, texts } = readLink(address);
    const usual = this.data.recording && this.tabs.has("recording") ? "recording" : VIEWS[0][0];
    this.show(this.tabs.has(view) ? view : usual, texts);
  }

  /* A tab keeps what its view is set to; a link sets it. */
  show(name, texts) {
    for (const [other, tab] of this.tabs) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      this.panels.get(other).hidden = other !== name;
    }
    this.shown = name;
    if (!this.made.has(name)) this.make(name);
    if (texts || !this.opened.has(name)) this.made.get(name).open(texts ?? {});
    this.opened.add(name);
  }

  make(name) {
    const View = VIEWS.find(([one]) => one === name)[2];
    const changed = (link) => { if (this.shown === name) writeLink(link); };
    this.made.set(name, new View(this.panels.get(name), this.data, this.client, changed));
  }

  redraw() {
    for (const view of this.made.values()) view.redraw();
  }
}
