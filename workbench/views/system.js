/* The view "Coupled system": two masses over a network, live, with an algorithm and with nothing. */

import { LiveChart } from "../chart/live.js";
import { around, decadesOf } from "../chart/range.js";
import { Span } from "../chart/span.js";
import { number } from "../chart/numbers.js";
import { fieldsOf } from "./fields.js";
import { LATENCY, inSteps, inWords, late, limits, microInWords, milliseconds } from "./latency.js";
import { Masses } from "./masses.js";
import { element, button, pasted, table } from "./parts.js";
import { PLAIN, microSteps, startOf } from "./recorded.js";
import { fromTexts, linkOf } from "./settings.js";
import { Working } from "./working.js";
import { headline, percent } from "./words.js";

const NOTHING = "zoh";
const ERROR = "Error against the undelayed run";
const STRETCH = 10;
const PARAMETERS = [["mass_1", "m1"], ["mass_1", "c1"], ["mass_2", "cc"], ["mass_2", "m2"], ["mass_2", "c2"]];
const WORDS = { m1: "mass 1", c1: "spring of mass 1", cc: "coupling spring", m2: "mass 2", c2: "spring of mass 2" };
const VERDICTS = {
  unstable: "grows", borderline: "grows slowly", stable: "does not grow", unknown: "too short to tell",
};
const COLUMNS = ["algorithm", "the coupling", "growth in 5 s", "rms error / signal", "mean error / m", "largest / m"];

/* What fields set, by key, and what links have besides: the latency in macro steps. */
function settable({ algorithms, timings, timing, steps, parameters, scenario }) {
  const own = PARAMETERS.map(([model, key]) => [key, parameters[model][key]]);
  const ranges = own.map(([key, { start, unit }]) => [key, {
    label: WORDS[key], unit, least: start / STRETCH, most: start * STRETCH, log: true, start }]);
  const { latency_steps: k, jitter_steps: jitter, loss } = scenario.network;
  const fields = {
    algorithm: { label: "algorithm", options: algorithms, start: PLAIN },
    timing: { label: "timing", options: timings.map((name) => ({ name, label: name })), start: timing },
    micro: microSteps(steps),
    latency: LATENCY,
    macro_step: {
      label: "macro step ΔT", unit: "s", least: 0.005, most: 0.1, step: 0.001, start: scenario.macro_step },
    jitter: { label: "jitter, up to", unit: "macro steps", least: 0, most: 5, step: 1, whole: true, start: jitter },
    loss: { label: "loss", unit: "share of messages", least: 0, most: 0.5, step: 0.01, start: loss },
    ...Object.fromEntries(ranges),
  };
  const { algorithm, ...others } = fields;
  return { fields, about: { algorithm, k: inSteps(k, steps.latency), ...others } };
}

export class SystemView {
  constructor(panel, data, client, changed) {
    Object.assign(this, { data, client, changed, ...settable(data) });
    this.start = startOf(this.about);
    this.labels = Object.fromEntries(data.algorithms.map((one) => [one.name, one.label]));
    this.runs = new Map();
    this.build(panel);
  }

  build(panel) {
    this.head = element("h1", { class: "headline", "aria-live": "polite" }, ["Computing …"]);
    const picture = element("div", { class: "picture-area" }), rest = element("div", { class: "rest" });
    this.working = new Working();
    const area = element("div", { class: "bench-area" }, [picture, this.controls(), rest]);
    panel.append(this.head, this.working.root, area);
    this.masses = new Masses(picture, (at) => this.charts.forEach((chart) => chart.point(at)));
    this.span = new Span();
    const position = { title: "Position of mass 1", x: "time / s", y: "x1 / m", height: 280, range: around };
    const error = { title: ERROR, x: "time / s", y: "error / m", height: 200, log: true, range: decadesOf(6) };
    this.charts = [new LiveChart(picture, this.span, position), new LiveChart(rest, this.span, error)];
    this.figures = element("div", { class: "figures-area" });
    this.command = pasted("Command that does the same");
    const note = element("p", { class: "hint" }, ["The same on the command line, with all signals and a report:"]);
    const dragged = "Drag in a chart to zoom, double-click for all of it; a name hides its curve.";
    rest.append(element("p", { class: "hint" }, [dragged]), this.figures, note, this.command.root);
  }

  controls() {
    this.inputs = fieldsOf("system", this.fields, (key, value) => this.set(key, value));
    const of = (...keys) => keys.map((key) => this.inputs[key].root);
    this.latency = element("p", { class: "hint" });
    this.micro = element("p", { class: "hint" });
    this.words = element("p", { class: "hint" });
    const masses = element("details", { open: "" }, [element("summary", {}, ["Masses and springs"]),
      ...of(...PARAMETERS.map(([, key]) => key))]);
    const form = element("form", { class: "settings-area", "aria-label": "Settings" }, [
      ...of("algorithm"), this.words, ...of("latency"), this.latency, ...of("jitter", "loss", "macro_step", "timing"),
      ...of("micro"), this.micro, masses,
      element("div", { class: "choice" }, [button("Reset", "All as it was at the start", () => this.open({}))]),
    ]);
    form.addEventListener("submit", (event) => event.preventDefault());
    return form;
  }

  open(texts) {
    this.values = fromTexts(texts, this.start, this.about);
    this.wish = milliseconds(this.values.k * this.values.macro_step); // latency that was asked for, ms
    this.ask();
  }

  set(key, value) {
    this.values[key] = value;
    if (key === "latency") this.wish = value;
    this.ask();
  }

  ask() {
    const { latency: most } = this.data.steps;
    this.values = late({ ...this.values, latency: this.wish }, most);
    this.inputs.latency.limit(limits(this.values.macro_step, most));
    for (const [key, field] of Object.entries(this.inputs)) field.put(this.values[key]);
    const { latency, ...links } = this.values, { latency: none, ...start } = this.start;
    this.changed(linkOf("system", links, start));
    this.told();
    const names = [...new Set([NOTHING, links.algorithm])].map((name) => this.labels[name]);
    this.working.tell(`Computing ${names.join(" and ")}`);
    this.compute(links);
  }

  compute({ algorithm, timing, k, macro_step: macroStep, micro, jitter, loss, ...parameters }) {
    const { duration, network } = this.data.scenario, microSteps = timing === "step" ? micro : 1;
    const scene = { duration, seed: network.seed, parameters: named(parameters) };
    const runs = new Map();
    this.client.ask("system", { algorithm, timing, k, macroStep, microSteps, jitter, loss, ...scene }, (part) => {
      if (part.error) this.head.textContent = part.error;
      else runs.set(part.algorithm, part);
      const done = runs.has(algorithm) && runs.has(NOTHING);
      if (done || part.error) this.working.end();
      if (done) this.show(runs, { ...this.values });
    });
  }

  told() {
    const { timing, algorithm } = this.values;
    this.latency.textContent = `${inWords(this.values)}, in each direction`;
    this.inputs.micro.root.hidden = this.micro.hidden = timing === "event";
    this.micro.textContent = microInWords(this.values);
    this.words.textContent = this.data.algorithms.find((one) => one.name === algorithm).words;
    this.command.code.textContent = commandOf(this.values, this.start);
  }

  show(runs, values) {
    this.drawn = { runs, values };
    const labelled = (one) => ({ ...one, label: this.labels[one.algorithm] });
    const own = runs.get(values.algorithm), nothing = runs.get(NOTHING);
    const all = [...new Set([nothing, own])];
    const { time, reference } = own;
    this.head.textContent = headline(labelled(own), labelled(nothing), values.k);
    this.span.setFull(time[0], time[time.length - 1]);
    const line = (one) => ({ name: this.labels[one.algorithm], colour: one.algorithm, width: one === own ? 2.2 : 1.4 });
    const words = this.inWords(all);
    this.charts[0].show({ x: time, words: `Position of mass 1 over time. ${words}`, lines: [
      { name: "without latency", colour: "ink", wide: true, values: reference },
      ...all.map((one) => ({ ...line(one), values: one.estimate })) ] });
    const errors = (one) => Float64Array.from(one.estimate, (v, i) => Math.abs(v - reference[i]));
    this.charts[1].show({ x: time, words: `${ERROR} over time. ${words}`,
      lines: all.map((one) => ({ ...line(one), values: errors(one) })) });
    this.draw(all, own, values, words);
    this.tabulate(all, own);
  }

  draw(all, own, values, words) {
    const late = `over a network, ${number(1e3 * values.k * values.macro_step)} ms late`;
    const undelayed = { label: "without latency", note: "one system", colour: "muted",
      time: own.time, x: own.reference, far: own.reference, force: own.pulled };
    const rows = all.map((one) => ({ label: this.labels[one.algorithm], note: late, colour: one.algorithm,
      time: one.time, x: one.sent, far: one.estimate, force: one.force }));
    this.masses.show([undelayed, ...rows], own.figures.height, values.cc, `Two masses over a network. ${words}`);
  }

  inWords(all) {
    const told = ({ verdict, max }) => `${VERDICTS[verdict]}, largest error ${number(max)} m`;
    return all.map(({ algorithm, figures }) => `${this.labels[algorithm]} ${told(figures)}.`).join(" ");
  }

  tabulate(all, own) {
    const rows = [...all].sort((a, b) => a.figures.mae - b.figures.mae).map((one) => ({ chosen: one === own, cells: [
      this.labels[one.algorithm], VERDICTS[one.figures.verdict], number(one.figures.growth), percent(one.figures.share),
      number(one.figures.mae), number(one.figures.max)] }));
    this.figures.replaceChildren(table("Figures of x1 against the undelayed run", COLUMNS, rows));
  }

  redraw() {
    for (const chart of this.charts) if (chart.u) chart.rebuild();
    if (this.drawn) this.show(this.drawn.runs, this.drawn.values);
  }
}

/* Parameters by component and variable, as the runs take them. */
function named(parameters) {
  return Object.fromEntries(PARAMETERS.map(([model, key]) => [`${model}.${key}`, parameters[key]]));
}

/* The command that makes this run, with a report. */
export function commandOf(values, start) {
  const network = { k: "network.latency_steps", jitter: "network.jitter_steps", loss: "network.loss" };
  const keys = { ...network, macro_step: "macro_step" };
  for (const [model, key] of PARAMETERS) keys[key] = `components.${model}.parameters.${key}`;
  const changed = Object.entries(keys).filter(([key]) => values[key] !== start[key]);
  const sets = changed.map(([key, name]) => `--set ${name}=${values[key]}`);
  const algorithms = [...new Set([NOTHING, values.algorithm])].map((name) => `"${name}"`).join(", ");
  const step = Number((values.macro_step / values.micro).toPrecision(9));
  const fine = values.timing === "step" ? [`--set micro_step=${step}`] : [];
  const what = [`--set 'timing=["${values.timing}"]'`, `--set 'algorithms=[${algorithms}]'`, ...fine, ...sets];
  const simulated = ["couplant simulate demo/scenario.toml -o result", ...what].join(" \\\n    ");
  return `couplant demo --no-open -o demo\n${simulated}`;
}
