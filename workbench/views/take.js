/* The view "Download FMU": settings as couplant build reads them, checked while they are typed, and the FMU they make. */

import { buildCommand, listed, settingsOf, usualPlatforms } from "./interface.js";
import { Choice } from "./fields.js";
import { linked, unlinked } from "./packed.js";
import { button, copyButton, element, pasted, save, say } from "./parts.js";
import { linkOf } from "./settings.js";

const VERSIONS = ["2", "3"];
const LONGEST = 8000;
const FILE = "interface.toml";
const NONE = "No settings yet: the view Recording asks or computes first.";

export class TakeView {
  /* `frame` gives the recording that is shown, and the worker of this view. */
  constructor(panel, data, client, changed, frame) {
    Object.assign(this, { panel, changed, frame });
    const { client: own, platforms } = frame.taking();
    Object.assign(this, { client: own, platforms });
    this.start = { fmi: VERSIONS[0], platforms: usualPlatforms(platforms, navigator).join(","), signal: "", toml: "" };
    this.found = null;
    this.making = false;
    this.build();
  }

  build() {
    this.head = element("h1", { class: "headline", "aria-live": "polite" }, ["Checking …"]);
    const picture = element("div", { class: "picture-area" }, this.editor());
    const rest = element("div", { class: "rest" });
    this.command = pasted("Command that makes the same");
    this.more = element("p", { class: "hint" });
    this.address = element("p", { class: "hint", role: "status" });
    const same = "The same by command; it takes what this page leaves to it, too:";
    rest.append(element("p", { class: "hint" }, [same]), this.command.root, this.more, this.address);
    this.panel.append(this.head, element("div", { class: "bench-area" }, [picture, this.controls(), rest]));
  }

  editor() {
    const plain = { spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", rows: "16" };
    this.text = element("textarea", { id: "field-take-toml", "aria-describedby": "take-problems", ...plain });
    this.text.addEventListener("input", () => this.typed());
    this.problems = element("ul", { class: "problems", id: "take-problems", "aria-live": "polite" });
    const buttons = element("div", { class: "choice" }, [
      button("from the recording", "Settings for the signal that the view Recording shows", () => this.again()),
      copyButton(() => this.text.value),
      button(`Save ${FILE}`, "", () => save(FILE, this.text.value, "application/toml")),
    ]);
    return [element("label", { for: "field-take-toml" }, [`Settings of the coupling: ${FILE}`]), this.text, buttons,
      this.problems];
  }

  controls() {
    this.signal = new Choice({ key: "take-signal", label: "signal", options: [] }, (name) => this.set("signal", name));
    const versions = VERSIONS.map((name) => ({ name, label: `FMI ${name}.0` }));
    this.fmi = new Choice({ key: "take-fmi", label: "standard", options: versions }, (name) => this.set("fmi", name));
    this.boxes = this.platforms.map((name) => this.box(name));
    const legend = element("legend", {}, ["platforms of the tool that runs it"]);
    this.saver = button("Save", "", () => this.make());
    this.saver.className = "main";
    this.said = element("p", { class: "hint", role: "status" });
    const form = element("form", { class: "settings-area", "aria-label": "FMU" }, [
      this.signal.root, this.fmi.root,
      element("fieldset", { class: "boxes" }, [legend, ...this.boxes.map((one) => one.root)]), this.saver, this.said,
    ]);
    form.addEventListener("submit", (event) => event.preventDefault());
    return form;
  }

  box(name) {
    const input = element("input", { type: "checkbox", value: name });
    input.addEventListener("change", () => this.set("platforms", this.ticked().join(",")));
    return { input, root: element("label", {}, [input, name]) };
  }

  ticked() {
    return this.boxes.filter(({ input }) => input.checked).map(({ input }) => input.value);
  }

  open({ fmi, platforms, signal = "", toml = "" }) {
    const known = (platforms ?? this.start.platforms).split(",").filter((name) => this.platforms.includes(name));
    this.values = { fmi: VERSIONS.includes(fmi) ? fmi : VERSIONS[0], platforms: known.join(","), signal, toml };
    this.fmi.put(this.values.fmi);
    for (const { input } of this.boxes) input.checked = known.includes(input.value);
    this.own = false;
    this.damaged = "";
    if (toml) this.unlink(toml);
    else this.put(this.follows());
  }

  async unlink(toml) {
    const text = await unlinked(toml).catch(() => null);
    if (this.values.toml !== toml) return;
    this.own = text !== null;
    if (!this.own) this.damaged = "The link is damaged: its settings could not be read, these are new ones. ";
    this.put(text ?? this.follows());
  }

  /* The settings of the recording, "" as long as there are none. */
  follows() {
    const recorded = this.frame.recorded();
    return recorded ? settingsOf(recorded) : "";
  }

  /* Settings that nobody has touched follow the recording. */
  shown() {
    const text = this.follows();
    if (this.values && !this.own && text !== this.text.value) this.put(text);
  }

  typed() {
    this.own = true;
    this.damaged = "";
    this.check();
  }

  /* Replaces the text in a way that the browser can undo, where it knows how. */
  again() {
    const text = this.follows();
    this.text.focus();
    this.text.select();
    if (!document.execCommand("insertText", false, text)) this.text.value = text;
    this.damaged = "";
    this.own = false;
    this.put(this.text.value);
  }

  put(text) {
    this.text.value = text;
    this.check();
  }

  set(key, value) {
    this.values[key] = value;
    this.said.textContent = "";
    this.tell();
    this.link();
  }

  check() {
    const text = this.text.value;
    this.said.textContent = "";
    this.found = null;
    if (text === "" && !this.own) {
      this.client.drop("check");
      this.problems.replaceChildren();
      this.signal.root.hidden = true;
      say(this.head, NONE);
      this.tell();
      return;
    }
    this.client.ask("check", { text }, (found) => {
      this.found = found.error ? { errors: [found.error], warnings: [], signals: [] } : found;
      this.offer();
      this.tell();
      this.link();
    });
    this.tell();
  }

  /* The signals of the text; one that is chosen stays so. */
  offer() {
    const { signals } = this.found;
    if (!signals.length) return;
    this.signal.offer(signals.map(({ name }) => ({ name, label: name })));
    this.signal.root.hidden = signals.length < 2;
    const chosen = signals.find(({ name }) => name === this.values.signal) ?? signals[0];
    this.signal.put(chosen.name);
    const alone = "The command makes the FMUs of all signals, this page one at a time.";
    this.more.textContent = signals.length < 2 ? "" : alone;
  }

  chosen() {
    return this.found?.signals.find(({ name }) => name === this.signal.select.value);
  }

  tell() {
    const platforms = this.ticked(), signal = this.chosen();
    this.command.code.textContent = buildCommand(this.values.fmi, platforms.length ? platforms : ["host"]);
    this.saver.disabled = !signal || signal.left !== "" || !platforms.length;
    if (!this.found) return;
    const { errors, warnings } = this.found;
    const wrong = [...errors, ...(signal?.left ? [signal.left] : [])];
    const lines = [...wrong.map((one) => ["wrong", one]), ...warnings.map((one) => ["hint", `warning: ${one}`])];
    const parts = lines.map(([kind, one]) => element("li", { class: kind }, [one]));
    const same = parts.length === this.problems.children.length &&
      parts.every((one, i) => one.isEqualNode(this.problems.children[i]));
    if (!same) this.problems.replaceChildren(...parts);
    this.text.setAttribute("aria-invalid", String(errors.length > 0));
    this.saver.textContent = signal ? `Save ${signal.file}` : "Save the FMU";
    say(this.head, this.headline(signal, platforms));
  }

  headline(signal, platforms) {
    const { length } = this.found.errors;
    if (length) return length < 2 ? "The settings have an error." : `The settings have ${length} errors.`;
    if (signal.left) return `The FMU of ${signal.name} is left to the command.`;
    if (!platforms.length) return "Choose at least one platform.";
    return `${signal.file} is ready: FMI ${this.values.fmi}.0 for ${listed(platforms)}.`;
  }

  /* The address holds the text as long as it fits into one that can be sent. */
  async link() {
    const text = this.text.value, toml = await linked(text);
    if (text !== this.text.value) return;
    const fits = toml.length <= LONGEST, first = this.found?.signals[0];
    this.values.toml = toml;
    const start = { ...this.start, signal: first?.name ?? "" }, signal = this.chosen()?.name ?? this.values.signal;
    this.changed(linkOf("take", { ...this.values, signal, toml: fits ? toml : "" }, start));
    const long = `A link to these settings would have ${toml.length} characters, allowed ${LONGEST}: save ${FILE}.`;
    say(this.address, this.damaged + (fits ? "The address of this page holds the settings." : long));
  }

  make() {
    if (this.making) return;
    const { fmi } = this.values, request = { text: this.text.value, signal: this.signal.select.value, fmi };
    this.making = true;
    this.said.textContent = "Computing …";
    this.client.ask("build", { ...request, platforms: this.ticked() }, ({ error, name, bytes }) => {
      this.making = false;
      if (!error) save(name, bytes, "application/octet-stream");
      this.said.textContent = error ?? `${name}: ${(bytes.length / 1e3).toFixed(1)} kB`;
    });
  }

  redraw() {
    this.tell();
  }
}
