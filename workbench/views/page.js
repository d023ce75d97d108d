/* The frame of all views: tabs, the link that holds the settings, what is said if something fails. */

import { usePalette } from "../chart/theme.js";
import { Client, lacking } from "./client.js";
import { textOf, unpacked } from "./packed.js";
import { element } from "./parts.js";
import { readLink, writeLink } from "./settings.js";
import { shownFirst } from "./recorded.js";
import { RecordingView } from "./recording.js";
import { SystemView } from "./system.js";
import { TakeView } from "./take.js";

const VIEWS = [
  ["system", "Coupled system", SystemView], ["recording", "Recording", RecordingView], ["take", "Download FMU", TakeView],
];

export function openPage() {
  const place = document.getElementById("main");
  const missing = lacking();
  if (missing) {
    place.append(element("p", { class: "warning", role: "alert" }, [missing]));
    return;
  }
  const data = { ...jsonOf("data"), recording: jsonOf("recording") }, packed = jsonOf("packed"), fail = (message) => failed(place, message);
  const client = new Client(fail);
  beginRuns(client, packed).catch((error) => fail(error.message));
  const frame = new Frame(place, data, client, () => taking(packed, fail));
  usePalette(data.palette, () => frame.redraw());
  frame.open(location.hash);
  // the address may be another one by now: a link that waits to be written would take the place of the new one
  window.addEventListener("hashchange", ({ newURL }) => frame.open(new URL(newURL).hash));
}

const jsonOf = (id) => JSON.parse(document.getElementById(id).textContent);

function failed(place, message) {
  place.prepend(element("p", { class: "warning", role: "alert" }, [`The computation could not begin: ${message}.`]));
}

async function beginRuns(client, { modules, texts }) {
  const { worker, runs, settings } = await unpacked(texts), jsonIn = (bytes) => JSON.parse(textOf(bytes));
  client.open(textOf(worker));
  client.begin({ bytes: await unpacked(modules), data: jsonIn(runs), settings: jsonIn(settings) });
}

/* The worker that writes FMUs, and the platforms that it knows. */
function taking(packed, fail) {
  const client = new Client(fail), files = jsonOf("files");
  beginTaking(client, packed, files).catch((error) => fail(error.message));
  return { client, platforms: Object.keys(files["3"].binaries) };
}

async function beginTaking(client, { modules: { coupling }, texts: { worker, settings } }, files) {
  const found = await unpacked({ worker, settings });
  client.open(textOf(found.worker));
  client.begin({ bytes: await unpacked({ coupling }), settings: JSON.parse(textOf(found.settings)), files });
}

class Frame {
  constructor(place, data, client, taking) {
    Object.assign(this, { place, data, client, taking });
    this.links = new Map();
    this.made = new Map();
    this.opened = new Set();
    this.tabs = new Map(VIEWS.map(([name, label]) => [name, this.tab(name, label)]));
    document.querySelector(".tabs").append(...this.tabs.values());
    this.panels = new Map(VIEWS.map(([name]) => [name, this.panel(name)]));
    place.append(...this.panels.values());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => this.dropped(event));
  }

  /* Files that no view has taken, wherever they fall, are recordings. */
  dropped(event) {
    if (event.defaultPrevented) return;
    event.preventDefault();
    this.show("recording");
    this.made.get("recording").opener.open([...event.dataTransfer.files]);
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
    else this.made.get(name).shown?.();
    this.opened.add(name);
    if (this.links.has(name)) writeLink(this.links.get(name));
  }

  make(name) {
    const View = VIEWS.find(([one]) => one === name)[2];
    const changed = (link) => {
      this.links.set(name, link);
      if (this.shown === name) writeLink(link);
    };
    this.made.set(name, new View(this.panels.get(name), this.data, this.client, changed, this));
  }

  /* What the view of a recording shows, or would show first; null where it asks or computes. */
  recorded() {
    const view = this.made.get("recording");
    return view ? view.recorded() : shownFirst(this.data);
  }

  /* Settings of what is recorded are there: those that follow it are the same. */
  followed() {
    if (this.shown === "take") this.made.get("take").shown();
  }

  redraw() {
    for (const view of this.made.values()) view.redraw();
  }
}
