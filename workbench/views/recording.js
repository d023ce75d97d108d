/* The view "Recording": what latency makes of a recorded signal, and what each algorithm would give back. */

import { advice } from "../analysis/advice.js";
import { resample } from "../analysis/resample.js";
import { judgedSpan } from "../analysis/span.js";
import { LiveChart } from "../chart/live.js";
import { around, decadesOf } from "../chart/range.js";
import { Span } from "../chart/span.js";
import { number } from "../chart/numbers.js";
import { macroPoints } from "../engine/master.js";
import { factsOf, headline, leastError } from "./facts.js";
import { fieldsOf } from "./fields.js";
import { Files } from "./files.js";
import { settingsOf } from "./interface.js";
import { bytesOf } from "./packed.js";
import { button, element, pasted, table } from "./parts.js";
import { fromTexts, linkOf } from "./settings.js";

const FINEST = 1e-6;
const COARSEST = 1e3;
const REACH = 20;
const MOST_MARKS = 200;
const SKILL = "1 is perfect, 0 as good as no FMU (the value as it came), negative harmful";
const PLAIN = "auto";
const COLUMNS = ["algorithm", "mean error", "rms", "largest", "C", "skill at the end", "limit / rad/s"];

function settable({ algorithms, designs, timings, timing, scenario }) {
  const { latency_steps: k, jitter_steps: jitter, loss } = scenario.network;
  return {
    algorithm: { label: "algorithm", options: [...algorithms, ...designs], start: PLAIN },
    k: { label: "latency k", unit: "macro steps", least: 0, most: 20, step: 1, whole: true, start: k },
    jitter: { label: "jitter, up to", unit: "macro steps", least: 0, most: 5, step: 1, whole: true, start: jitter },
    loss: { label: "loss", unit: "share of messages", least: 0, most: 0.5, step: 0.01, start: loss },
    macro_step: { label: "macro step ΔT", unit: "s", least: FINEST, most: COARSEST, log: true, start: 0 },
    timing: { label: "timing", options: timings.map((name) => ({ name, label: name })), start: timing },
  };
}

/* A recording of the page as the view has it: name, what was assumed, channels with times and values. */
function opened({ name, assumed, times, channels }) {
  const doubles = (text) => new Float64Array(bytesOf(text).buffer), at = times.map(doubles);
  const whole = (one) => ({ ...one, time: at[one.time], value: doubles(one.value) });
  return { name, assumed, channels: channels.map(whole) };
}

const startOf = (about) => Object.fromEntries(Object.entries(about).map(([key, one]) => [key, one.start]));
const filesOf = ({ recording, sample }) => [recording, sample].filter(Boolean).map(opened);

/* What the view shows first, as `recorded` of it tells. */
export function shownFirst(data) {
  const [channel] = filesOf(data)[0].channels, { name, time, value, unit } = channel;
  const step = resample(time, value, null, name).macroStep ?? 0;
  return { values: { ...startOf(settable(data)), macro_step: step }, column: name, unit, weights: null };
}

export class RecordingView {
  /* `frame` is told when weights are there that were made for what is set. */
  constructor(panel, data, client, changed, frame) {
    Object.assign(this, { panel, data, client, changed, frame });
    this.about = settable(data);
    this.start = startOf(this.about);
    this.candidates = new Map([data.wire, ...data.algorithms, ...data.designs].map((one) => [one.name, one]));
    this.labels = Object.fromEntries([...this.candidates].map(([name, one]) => [name, one.label]));
    this.files = filesOf(data);
    this.others = new Map();
    this.offered = new Set();
    this.complete = null;
    this.build(panel);
  }

  build(panel) {
    this.head = element("h1", { class: "headline", "aria-live": "polite" }, ["Computing …"]);
    this.facts = element("dl", { class: "facts" });
    this.said = element("p", { class: "hint" });
    const picture = element("div", { class: "picture-area" }), rest = element("div", { class: "rest" });
    panel.append(this.head, element("div", { class: "bench-area" }, [picture, this.controls(), rest]));
    this.charts(picture, rest);
    this.figures = element("div", { class: "figures-area" });
    this.settings = pasted("Settings of a coupling FMU");
    this.command = pasted("Command that inspects the recording");
    const dragged = "Drag in a chart to zoom, double-click for all of it; a name hides its curve.";
    this.advice = element("div", { class: "advice" });
    picture.append(element("p", { class: "hint" }, [dragged]), this.figures, this.advice);
    const hint = (words) => element("p", { class: "hint" }, [words]);
    rest.append(this.facts, this.said, hint("The FMU for this signal: interface.toml for couplant build."),
      this.settings.root, hint("By command, at the constant latency k, with what to do after jumps and about noise:"),
      this.command.root);
  }

  charts(picture, rest) {
    this.span = new Span();
    this.band = new Span(true);
    const over = { x: "time / s", range: around };
    const all = { title: "Signal, late value and estimates", y: "", height: 290 };
    this.signal = new LiveChart(picture, this.span, { ...over, ...all });
    this.error = new LiveChart(rest, this.span, { ...over, title: "Error", y: "", height: 170 });
    const skill = { title: "Skill", note: SKILL, y: "skill", height: 140, x: "time / s", range: () => [-1.1, 1.1] };
    this.skill = new LiveChart(rest, this.span, skill);
    const frequency = { x: "frequency / rad/s", y: "power density", height: 230, log: true, logX: true };
    this.spectrum = new LiveChart(rest, this.band, { ...frequency, title: "Spectrum", range: decadesOf(8) });
  }

  controls() {
    this.fields = fieldsOf("recording", this.about, (key, value) => this.set(key, value));
    const sources = { file: { label: "recording", options: [] }, column: { label: "column", options: [] } };
    this.chosen = fieldsOf("recording", sources, (key, name) => (
      key === "file" ? this.take(this.files[Number(name)]) : this.column(name)));
    this.unit = element("input", { type: "text", id: "field-recording-unit", autocomplete: "off" });
    this.unit.addEventListener("change", () => { this.told(); this.draw(); });
    const named = element("label", { for: "field-recording-unit" }, ["unit"]);
    const unit = element("div", { class: "field" }, [named, this.unit]);
    this.opener = new Files(this.panel, this.client, (read) => {
      this.files = [...read, ...this.files];
      this.texts = {};
      this.take(read[0]);
    });
    this.latency = element("p", { class: "hint" });
    this.words = element("p", { class: "hint" });
    const of = (...keys) => keys.map((key) => this.fields[key].root);
    const form = element("form", { class: "settings-area", "aria-label": "Settings" }, [
      this.opener.root, this.chosen.file.root, this.chosen.column.root, unit,
      ...of("algorithm"), this.words, ...of("k"), this.latency,
      ...of("jitter", "loss", "macro_step", "timing"),
      element("div", { class: "choice" }, [button("as at the start", "", () => this.open({}))]),
    ]);
    form.addEventListener("submit", (event) => event.preventDefault());
    return form;
  }

  open(texts) {
    this.values = fromTexts(texts, this.start, this.about);
    this.texts = texts;
    this.take(this.files[0]);
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
    if (recorded.macroStep) this.fields.macro_step.reach(recorded.macroStep, REACH * recorded.macroStep);
    this.values.macro_step = Number(this.texts.macro_step) || this.start.macro_step;
    this.resampled();
  }

  set(key, value) {
    this.values[key] = value;
    if (key === "macro_step") this.resampled();
    else this.ask();
  }

  /* Puts the signal on the macro steps, and asks what it tells itself. */
  resampled() {
    const { name, time, value } = this.channel;
    for (const [key, field] of Object.entries(this.fields)) field.put(this.values[key]);
    this.grid = resample(time, value, this.values.macro_step || null, name);
    this.found = this.run = this.judged = null;
    this.advice.replaceChildren();
    if (this.grid.error) {
      this.head.textContent = this.grid.error;
      return;
    }
    const { value: samples, macroStep } = this.grid;
    this.time = macroPoints(macroStep, samples.length - 1);
    this.span.setFull(0, (samples.length - 1) * macroStep);
    this.client.ask("inspect", { samples, macroStep }, (found) => {
      this.found = found;
      this.describe();
      this.advise();
    });
    this.ask();
  }

  ask() {
    if (this.grid.error) return;
    const { algorithm, timing, k, jitter, loss } = this.values, { value: samples, macroStep } = this.grid;
    const links = { ...this.values, column: this.channel.name };
    this.changed(linkOf("recording", links, { ...this.start, column: this.file.channels[0].name }));
    this.weights = null;
    this.told();
    const request = { samples, macroStep, timing, k, jitter, loss, seed: this.data.scenario.network.seed };
    this.client.ask("recording", { ...request, algorithm }, (run) => this.drawn(run));
    const rows = [], estimates = new Map(), algorithms = this.data.algorithms.map((one) => one.name);
    this.others = new Map();
    this.judged = null;
    this.client.ask("table", { ...request, algorithms }, (part) => {
      if (part.error) { this.head.textContent = part.error; return; }
      if (part.row) {
        rows.push(part.row);
        if (part.estimate) estimates.set(part.row.algorithm, part.estimate);
        return;
      }
      this.others = new Map(estimates);
      this.tabulate(rows.slice().sort((a, b) => a.mae - b.mae), part);
      this.draw();
    });
  }

  drawn(run) {
    if (run.error) { this.head.textContent = run.error; return; }
    if (run.lacking) { this.without(); return; }
    this.run = run;
    this.weights = run.weights;
    this.told();
    this.draw();
  }

  /* Where nothing can be made of the recording, what needs no weights is shown. */
  without() {
    this.fields.algorithm.put(PLAIN);
    this.set("algorithm", PLAIN);
  }

  /* Texts for what is set; those with weights wait until they are made. */
  told() {
    const { values, weights } = this, { words, made } = this.candidates.get(values.algorithm);
    this.latency.textContent = `${values.k} × ${number(values.macro_step, 6)} s = ${this.milliseconds()}`;
    this.words.textContent = words;
    this.command.code.textContent = commandOf(values, this.file.name, this.channel.name);
    if (made && !weights) return;
    this.complete = { values: { ...values }, column: this.channel.name, unit: this.unit.value, weights };
    this.settings.code.textContent = settingsOf(this.complete);
    if (made) this.frame.followed();
  }

  /* The signal that is shown, and what is set for it, as soon as all of it is known. */
  recorded() {
    return this.complete;
  }

  milliseconds() {
    return `${number(1e3 * this.values.k * this.values.macro_step)} ms`;
  }

  labelled(quantity) {
    return this.unit.value ? `${quantity} / ${this.unit.value}` : quantity;
  }

  draw() {
    if (!this.run) return;
    const { received, estimate, skill, row } = this.run, { time } = this, wanted = this.grid.value, x = time;
    const own = { ...this.look(row.algorithm), width: 2 };
    const late = { name: "late value", colour: "muted", dash: [5, 4], width: 1.3 };
    const words = `${own.name}: mean error ${number(row.mae)}, largest ${number(row.max)} ${this.unit.value}.`;
    const name = this.channel.name, difference = (values) => values.map((v, i) => v - wanted[i]);
    const jumps = (this.found?.jumps ?? []).slice(0, MOST_MARKS);
    const marks = jumps.map((at) => ({ name: "jump", at: time[at], colour: "bad", solid: true }));
    const [first, last] = judgedSpan(wanted.length);
    const bands = [{ name: "judged", low: time[first], high: time[last - 1], colour: "grid", alpha: "88" }];
    this.signal.show({ x, y: this.labelled(name), words: `${name} over time. ${words}`, marks, bands, lines: [
      { name, colour: "ink", wide: true, values: wanted }, { ...late, steps: true, values: received },
      { ...own, values: estimate }, ...this.further(row.algorithm)] });
    this.error.show({ x, y: this.labelled("error"), words: `Error over time. ${words}`, lines: [
      { ...late, values: difference(received) }, { ...own, values: difference(estimate) }] });
    const end = number(row.skill, 3);
    const told = `Skill of ${own.name} over time, at the end ${end}.`;
    this.skill.show({ x, words: told, lines: [{ ...own, values: skill }] });
    this.describe();
  }

  /* Estimates of all others, which the legend shows on request. */
  further(chosen) {
    const others = [...this.others].filter(([algorithm]) => algorithm !== chosen);
    for (const [algorithm] of others) {
      if (!this.offered.has(algorithm)) this.signal.hidden.add(this.labels[algorithm]);
      this.offered.add(algorithm);
    }
    this.signal.hidden.delete(this.labels[chosen]);
    this.offered.delete(chosen);
    return others.map(([algorithm, values]) => ({ ...this.look(algorithm), values }));
  }

  look(algorithm) {
    return { name: this.labels[algorithm], colour: this.candidates.get(algorithm).colour };
  }

  /* What the signal tells itself: facts, spectrum with its bands and the limits of the algorithms. */
  describe() {
    this.facts.replaceChildren(...factsOf(this.grid, this.found, this.unit.value).map(([name, text]) =>
      element("div", {}, [element("dt", {}, [name]), element("dd", {}, [text])])));
    this.said.textContent = this.file.assumed;
    if (!this.found) return;
    const { spectrum: { omega, power }, bands: { useful, disturbances } } = this.found;
    this.band.setFull(omega[0], omega[omega.length - 1]);
    const bands = [{ name: "useful", low: omega[0], high: useful, colour: "good" },
      ...disturbances.map(([low, high]) => ({ name: "disturbance", low, high, colour: "bad" }))];
    const marks = this.limits().filter(({ at }) => at >= omega[0]).map(({ name, at }) => ({
      name: `limit of ${this.labels[name]}`, at, colour: name, solid: true }));
    const words = `Power over frequency, useful up to ${number(useful)} rad/s, ${disturbances.length} disturbances.`;
    this.spectrum.show({ x: omega, bands, marks, words, y: "power density",
      lines: [{ name: this.channel.name, colour: "ink", values: power }] });
    this.spectrum.entries();
  }

  limits() {
    const { k, timing } = this.values, nyquist = Math.PI / this.grid.macroStep;
    const all = this.data.algorithms.map(({ name, limits }) => ({ name, at: limits[timing][k] }));
    return all.filter(({ at }) => at !== null).map(({ name, at }) => ({ name, at: at * nyquist }));
  }

  /* `share` tells how sure the best is and `shifted` how it does elsewhere; both are missing as long as rows are. */
  tabulate(rows, { share, shifted }) {
    this.judged = share === undefined ? null : { rows, share, shifted };
    const limits = new Map(this.limits().map(({ name, at }) => [name, at]));
    const lines = rows.map((row) => ({ chosen: row.algorithm === this.values.algorithm, cells: [
      row.algorithm === this.data.wire.name ? this.data.wire.label : this.pick(row.algorithm), ...[row.mae, row.rms, row.max, row.C].map((v) => number(v)), number(row.skill, 3),
      number(limits.get(row.algorithm) ?? null)] }));
    this.figures.replaceChildren(table("Algorithms on the last two fifths, the least error first", COLUMNS, lines));
    this.head.textContent = leastError(rows, this.labels, this.unit.value, this.milliseconds());
    this.advise();
  }

  /* What the package says, as soon as both are known: how all algorithms did, and what the signal tells itself. */
  advise() {
    if (!this.judged || !this.found) return;
    const { name, text, warnings } = advice(this.judged, this.values.k, this.found, this.grid.value);
    this.head.textContent = headline(name, this.judged.rows, this.labels, this.milliseconds());
    const whole = (one) => `${one[0].toUpperCase()}${one.slice(1)}.`;
    const words = warnings.map((one) => element("p", { class: "warning" }, [whole(one)]));
    this.advice.replaceChildren(element("p", {}, [text]), ...words);
  }

  pick(algorithm) {
    const made = button(this.labels[algorithm], "Show this one", () => {
      this.fields.algorithm.put(algorithm);
      this.set("algorithm", algorithm);
    });
    made.className = "pick";
    return made;
  }

  redraw() {
    for (const chart of [this.signal, this.error, this.skill, this.spectrum]) if (chart.u) chart.rebuild();
    this.draw();
  }
}

/* The command that tells more about the recording; words in quotes as a shell takes them. */
export function commandOf({ timing, k, macro_step: step }, file, column) {
  const quoted = (word) => (/^[\w./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
  const what = `${quoted(file)} --column ${quoted(column)}`;
  return `couplant inspect ${what} --macro-step ${step} --steps ${k} --timing ${timing}`;
}
