/* The view "Recording": what latency makes of a recorded signal, and what each algorithm would give back. */

import { advice } from "../analysis/advice.js";
import { estimateLimits } from "../analysis/protection.js";
import { resample } from "../analysis/resample.js";
import { stepsIn } from "../analysis/span.js";
import { number } from "../chart/numbers.js";
import { macroPoints } from "../engine/master.js";
import { name_of_signal } from "../python/couplant.base.filenames.js";
import { Curves } from "./curves.js";
import { factsOf, headline, leastError } from "./facts.js";
import { fieldsOf } from "./fields.js";
import { Files } from "./files.js";
import { settingsOf } from "./interface.js";
import { inWords, late, limits, microInWords, milliseconds } from "./latency.js";
import { button, element, pasted, table } from "./parts.js";
import { Questions } from "./questions.js";
import { AGAIN, PLAIN, commandOf, filesOf, offered, settable, startOf, written } from "./recorded.js";
import { fromTexts, linkOf } from "./settings.js";
import { Working } from "./working.js";

const REACH = 20;
const COLUMNS = ["algorithm", "mean error", "rms", "largest", "C", "skill at the end", "limit / rad/s"];

export class RecordingView {
  /* `frame` is told when weights are there that were made for what is set. */
  constructor(panel, data, client, changed, frame) {
    Object.assign(this, { panel, data, client, changed, frame });
    Object.assign(this, settable(data));
    this.start = startOf(this.about);
    this.seed = data.scenario.network.seed;
    this.candidates = new Map([data.wire, ...data.algorithms, ...data.designs].map((one) => [one.name, one]));
    this.labels = Object.fromEntries([...this.candidates].map(([name, one]) => [name, one.label]));
    this.files = filesOf(data);
    this.others = new Map();
    this.complete = null;
    this.build(panel);
  }

  build(panel) {
    this.head = element("h1", { class: "headline", "aria-live": "polite" }, ["Computing …"]);
    this.working = new Working();
    this.questions = new Questions(this.data.hosts, (latency, host) => this.answered(latency, host));
    this.facts = element("dl", { class: "facts" });
    this.said = element("p", { class: "hint" });
    const picture = element("div", { class: "picture-area" }), rest = element("div", { class: "rest" });
    const area = element("div", { class: "bench-area" }, [picture, this.controls(), rest]);
    panel.append(this.head, this.working.root, this.questions.root, area);
    this.curves = new Curves(picture, rest, this.data, this.candidates);
    this.figures = element("div", { class: "figures-area claim" });
    this.settings = pasted("Settings of a coupling FMU");
    this.command = pasted("Command that inspects the recording");
    const dragged = "Drag in a chart to zoom, double-click for all of it; a name hides its curve.";
    this.advice = element("div", { class: "advice claim" });
    picture.append(element("p", { class: "hint" }, [dragged]), this.figures, this.advice);
    const hint = (words) => element("p", { class: "hint" }, [words]);
    const texts = [hint("The FMU for this signal: interface.toml for couplant build."), this.settings.root,
      hint("By command, with the same figures, and what to do after jumps and about noise:"), this.command.root];
    rest.append(this.facts, this.said, element("div", { class: "claim" }, texts));
  }

  controls() {
    this.inputs = fieldsOf("recording", this.fields, (key, value) => this.set(key, value));
    const sources = { file: { label: "recording", options: [] }, column: { label: "column", options: [] } };
    this.chosen = fieldsOf("recording", sources, (key, name) => (
      key === "file" ? this.take(this.files[Number(name)]) : this.column(name)));
    this.unit = element("input", { type: "text", id: "field-recording-unit", autocomplete: "off" });
    this.unit.addEventListener("change", () => { this.told(); this.draw(); });
    const named = element("label", { for: "field-recording-unit" }, ["unit"]);
    const unit = element("div", { class: "field" }, [named, this.unit]);
    this.opener = new Files(this.panel, this.client, (read) => this.added(read), (names) => this.reading(names));
    const [latency, words, micro] = ["latency", "words", "micro"].map((name) => {
      this.hints = { ...this.hints, [name]: element("p", { class: "hint" }) };
      return this.hints[name];
    });
    const of = (...keys) => keys.map((key) => this.inputs[key].root);
    const given = element("div", { class: "given" }, [...of("algorithm"), words, ...of("latency"), latency,
      ...of("jitter", "loss", "host", "timing", "micro"), micro]);
    const form = element("form", { class: "settings-area", "aria-label": "Settings" }, [
      this.opener.root, this.chosen.file.root, this.chosen.column.root, unit, ...of("macro_step"), given,
      element("div", { class: "choice" }, [button("Reset", "All as it was at the start", () => this.open({}))]),
    ]);
    form.addEventListener("submit", (event) => event.preventDefault());
    return form;
  }

  open(texts) {
    this.values = fromTexts(texts, this.start, this.about);
    this.texts = texts;
    this.wish = null; // latency that was asked for [ms], more than a shorter macro step allows
    this.picked = Object.hasOwn(texts, "algorithm");
    for (const one of this.files) one.known = one.example || (one === this.files[0] && texts.k !== undefined);
    this.take(this.files[0]);
  }

  /* Files that were opened or dropped come first; of those nobody has said yet how late they are. */
  added(read) {
    this.files = [...read, ...this.files];
    this.texts = {};
    this.wish = null;
    this.take(read[0]);
  }

  reading(names) {
    if (names.length) this.working.tell(`Reading ${names.join(", ")}`);
    else this.working.end();
  }

  answered(latency, host) {
    for (const one of this.files) one.known = true;
    this.wish = latency;
    this.values.host = host;
    this.agree("host");
    this.resampled();
  }

  take(file) {
    this.file = file;
    this.chosen.file.offer(this.files.map((one, i) => ({ name: String(i), label: one.name })));
    this.chosen.file.put(String(this.files.indexOf(file)));
    this.chosen.column.offer(file.channels.map(({ name }) => ({ name, label: name })));
    const wanted = file.channels.some(({ name }) => name === this.texts.column);
    this.column(wanted ? this.texts.column : file.channels[0].name);
  }

  column(name) {
    this.channel = this.file.channels.find((one) => one.name === name);
    this.chosen.column.put(name);
    this.unit.value = this.channel.unit;
    const recorded = resample(this.channel.time, this.channel.value, null, name);
    this.start.macro_step = recorded.macroStep ?? 0;
    if (recorded.macroStep) this.inputs.macro_step.reach(recorded.macroStep, REACH * recorded.macroStep);
    this.values.macro_step = Number(this.texts.macro_step) || this.start.macro_step;
    if (this.values.macro_step) this.wish ??= milliseconds(this.values.k * this.values.macro_step);
    this.resampled();
  }

  set(key, value) {
    this.values[key] = value;
    if (key === "algorithm") this.picked = true;
    if (key === "latency") this.wish = value;
    this.agree(key);
    if (key === "macro_step") this.resampled();
    else this.ask(key === "algorithm" && this.judged !== null);
  }

  /* Makes values fit to the one that was set: event timing is for hosts that read again, the latency has a limit. */
  agree(key) {
    const { values, wish, data: { hosts, steps } } = this, { host } = written(values, hosts);
    if (key === "host" && host !== AGAIN) values.timing = "step";
    else if (values.timing === "event" && host !== AGAIN) values.host = AGAIN;
    if (values.macro_step) {
      this.values = late({ ...values, latency: wish }, steps.latency);
      this.inputs.latency.limit(limits(values.macro_step, steps.latency));
    }
    for (const [name, field] of Object.entries(this.inputs)) field.put(this.values[name]);
  }

  /* Puts the signal on the macro steps, and asks what it tells itself. Nothing stays of what was shown before. */
  resampled() {
    const { name, time, value } = this.channel;
    this.agree("macro_step");
    this.grid = resample(time, value, this.values.macro_step || null, name);
    this.forget();
    if (this.grid.error) {
      this.head.textContent = this.grid.error;
      return;
    }
    const { value: samples, macroStep } = this.grid;
    this.time = macroPoints(macroStep, samples.length - 1);
    this.curves.bare(this.scene());
    this.describe();
    this.client.ask("inspect", { samples, macroStep }, (found) => {
      this.found = found;
      this.inputs.algorithm.offer(offered(this.fields.algorithm.options, found));
      this.inputs.algorithm.put(this.values.algorithm);
      this.told();
      this.describe();
      this.advise();
    });
    this.ask();
  }

  forget() {
    const { file: { known, name }, grid: { error } } = this;
    this.found = this.run = this.judged = this.complete = null;
    this.others = new Map();
    this.panel.dataset.state = error ? "wrong" : known ? "first" : "asking";
    this.working.end();
    if (error || known) this.questions.end();
    for (const place of [this.advice, this.figures, this.facts]) place.replaceChildren();
    this.curves.spectral.hidden = true;
    this.said.textContent = this.settings.code.textContent = this.command.code.textContent = "";
    for (const channel of ["inspect", "recording", "table", "whole", "ahead"]) this.client.drop(channel);
    this.head.textContent = known ? "Computing …" : `Two questions before anything is said about ${name}.`;
  }

  /* `only` the run of the chosen algorithm, where all of them are judged. */
  ask(only = false) {
    if (this.grid.error) return;
    if (!this.file.known) {
      this.questions.ask(this.grid.macroStep, this.data.steps.latency);
      return;
    }
    this.link();
    this.weights = null;
    this.told();
    const { data: { algorithms, steps }, values: { algorithm } } = this, request = { ...this.request(), algorithm };
    const all = { ...request, algorithms: algorithms.map(({ name }) => name) };
    this.client.ask("recording", request, (run) => this.drawn(run));
    if (only) this.mark();
    else this.compare(all);
    this.client.ask("whole", all, (part) => this.completed(part));
    this.client.ask("ahead", { ...all, reach: steps.latency }, () => {});
  }

  request() {
    const { timing, k, jitter, loss, micro } = this.values, { value: samples, macroStep } = this.grid;
    const drawn = { seed: this.seed, signal: this.signal };
    return { samples, macroStep, timing, k, jitter, loss, microSteps: micro, ...drawn };
  }

  /* Links have what was chosen; an algorithm that is recommended follows from the rest. */
  link() {
    const { latency, algorithm, ...values } = this.values, { latency: none, ...start } = this.start;
    const own = this.picked ? { algorithm } : {}, first = this.file.channels[0].name;
    const usual = { ...start, algorithm: "", k: this.file.example ? start.k : null, column: first };
    this.changed(linkOf("recording", { ...own, ...values, column: this.channel.name }, usual));
  }

  compare(all) {
    const rows = [], estimates = new Map();
    this.others = new Map();
    this.judged = null;
    this.client.ask("table", all, (part) => {
      if (part.error) { this.failed(part.error); return; }
      if (part.doing !== undefined) { this.working.tell(this.doing(part.doing), part.done, part.all); return; }
      if (part.row) {
        rows.push(part.row);
        if (part.estimate) estimates.set(part.row.algorithm, part.estimate);
        return;
      }
      this.tabulate(rows.slice().sort((a, b) => a.mae - b.mae), part);
      if (this.others.size === estimates.size) return;
      this.others = new Map(estimates);
      this.draw();
    });
  }

  /* What is judged of a long recording was drawn before: now come the chosen run as a whole, then those of others. */
  completed({ algorithm, last, received, estimate, skill, error }) {
    if (error) { this.failed(error); return; }
    const row = this.judged?.rows.find((one) => one.algorithm === algorithm), { run } = this;
    if (row) row.skill = last;
    if (!received && estimate) this.others.set(algorithm, estimate);
    if (received && run?.row.algorithm === algorithm) {
      this.run = { ...run, received, estimate, skill, row: { ...run.row, skill: last } };
    }
    if (algorithm && !received) return; // all others are drawn together
    this.draw();
    if (this.judged) this.mark();
  }

  /* What is being computed, in words: a candidate, or the signal at another speed. */
  doing(what) {
    return `Computing ${this.labels[what] ?? `the signal at ${what} times its speed`}`;
  }

  failed(error) {
    this.head.textContent = error;
    this.working.end();
  }

  drawn(run) {
    if (run.error) { this.failed(run.error); return; }
    if (run.lacking) { this.without(); return; }
    this.run = run;
    this.weights = run.weights;
    this.panel.dataset.state = "ready";
    this.told();
    this.draw();
  }

  /* Where nothing can be made of the recording, what needs no weights is shown. */
  without() {
    this.picked = false;
    this.values.algorithm = PLAIN;
    this.inputs.algorithm.put(PLAIN);
    this.ask(this.judged !== null);
  }

  /* Texts for what is set; those with weights wait until they are made. */
  told() {
    if (!this.file.known) return;
    const { values, weights } = this, { words, made, most } = this.candidates.get(values.algorithm);
    this.inputs.micro.root.hidden = this.hints.micro.hidden = values.timing === "event";
    this.hints.latency.textContent = inWords(values);
    this.hints.micro.textContent = microInWords(values);
    const far = values.k > most ? `; above ${most} macro steps FOH runs in its place` : "";
    this.hints.words.textContent = `${words}${far}`;
    const { seed, data: { steps: { micro } } } = this;
    this.command.code.textContent = commandOf(values, this.file.name, this.channel.name, { micro, seed });
    this.complete = null;
    if ((made && !weights) || !this.found) return;
    const { value, macroStep } = this.grid, m = stepsIn({ timing: values.timing, microSteps: values.micro });
    const known = { signal: this.signal, unit: this.unit.value, weights };
    Object.assign(known, { limits: estimateLimits(value, macroStep / m), floor: this.found.floor });
    this.complete = { values: written(values, this.data.hosts), ...known };
    this.settings.code.textContent = settingsOf(this.complete);
    this.frame.followed();
  }

  /* The signal that is shown, and what is set for it, as soon as all of it is known. */
  recorded() {
    return this.complete;
  }

  /* The name of the signal in settings, by which its network draws. */
  get signal() {
    return name_of_signal(this.channel.name, this.channel.unit);
  }

  milliseconds() {
    return `${number(1e3 * this.values.k * this.values.macro_step)} ms`;
  }

  /* What the curves are drawn for. */
  scene() {
    const { grid, time, found, run, others, values, channel: { name } } = this, { known } = this.file;
    return { grid, time, found, run, others, values, name, known, unit: this.unit.value };
  }

  draw() {
    if (this.run) this.curves.draw(this.scene());
    this.describe();
  }

  /* What the signal tells itself: facts, spectrum with its bands and the limits of the algorithms. */
  describe() {
    this.facts.replaceChildren(...factsOf(this.grid, this.found, this.unit.value).map(([name, text]) =>
      element("div", {}, [element("dt", {}, [name]), element("dd", {}, [text])])));
    this.said.textContent = [this.file.assumed, this.grid.said].filter(Boolean).join("; ");
    this.curves.describe(this.scene());
  }

  /* `share` tells how sure the best is and `shifted` how it does elsewhere; both are missing as long as rows are. */
  tabulate(rows, { share, shifted }) {
    this.rows = rows;
    this.judged = share === undefined ? null : { rows, share, shifted };
    this.head.textContent = leastError(rows, this.labels, this.unit.value, this.milliseconds());
    this.mark();
    this.advise();
    if (this.judged) this.working.end();
  }

  mark() {
    const { wire } = this.data, limits = new Map(this.curves.limits(this.scene()).map(({ name, at }) => [name, at]));
    const lines = this.rows.map((row) => ({ chosen: row.algorithm === this.values.algorithm, cells: [
      row.algorithm === wire.name ? wire.label : this.pick(row.algorithm),
      ...[row.mae, row.rms, row.max, row.C].map((v) => number(v)), number(row.skill, 3),
      number(limits.get(row.algorithm) ?? null)] }));
    this.figures.replaceChildren(table("Algorithms on the last two fifths, the least error first", COLUMNS, lines));
  }

  /* What the package says, as soon as both are known: how all algorithms did, and what the signal tells itself. What
     is recommended is shown, and goes into the settings, as long as nobody has chosen another. */
  advise() {
    if (!this.judged || !this.found) return;
    const { name, text, warnings } = advice(this.judged, this.values.k, this.found, this.grid.value);
    this.head.textContent = headline(name, this.judged.rows, this.labels, this.milliseconds());
    const whole = (one) => `${one[0].toUpperCase()}${one.slice(1)}.`;
    const words = warnings.map((one) => element("p", { class: "warning" }, [whole(one)]));
    this.advice.replaceChildren(element("p", {}, [text]), ...words);
    const own = name === this.data.wire.name ? PLAIN : name;
    if (this.picked || own === this.values.algorithm) return;
    this.values.algorithm = own;
    this.inputs.algorithm.put(own);
    this.ask(true);
  }

  pick(algorithm) {
    const made = button(this.labels[algorithm], "Show this one", () => {
      this.inputs.algorithm.put(algorithm);
      this.set("algorithm", algorithm);
    });
    made.className = "pick";
    return made;
  }

  redraw() {
    this.curves.rebuild();
    if (this.run) this.draw();
    else if (this.grid && !this.grid.error) this.curves.bare(this.scene());
  }
}
