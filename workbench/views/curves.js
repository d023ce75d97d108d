/* The charts of a recording: the signal, late and estimated, errors, skill, spectrum. */

import { judgedSpan } from "../analysis/span.js";
import { LiveChart } from "../chart/live.js";
import { number } from "../chart/numbers.js";
import { around, decadesOf } from "../chart/range.js";
import { Span } from "../chart/span.js";
import { element } from "./parts.js";

const MOST_MARKS = 200;
const SKILL = "1 is perfect, 0 as good as no FMU (the value as it came), negative harmful";

/* What is drawn is a scene: grid, time, found, run, others, values, name and unit of the signal, and whether it is
   `known` how late it arrives. */
export class Curves {
  /* `candidates` are { label, colour } by name. */
  constructor(picture, rest, data, candidates) {
    Object.assign(this, { data, candidates });
    this.offered = new Set();
    this.span = new Span();
    this.band = new Span(true);
    const over = { x: "time / s", range: around }, claims = element("div", { class: "claim" });
    this.spectral = element("div");
    rest.append(claims, this.spectral);
    const all = { title: "Signal, late value and estimates", y: "", height: 290 };
    this.signal = new LiveChart(picture, this.span, { ...over, ...all });
    this.error = new LiveChart(claims, this.span, { ...over, title: "Error", y: "", height: 170 });
    const skill = { title: "Skill", note: SKILL, y: "skill", height: 140, x: "time / s", range: () => [-1.1, 1.1] };
    this.skill = new LiveChart(claims, this.span, skill);
    const frequency = { x: "frequency / rad/s", y: "power density", height: 230, log: true, logX: true };
    this.spectrum = new LiveChart(this.spectral, this.band, { ...frequency, title: "Spectrum", range: decadesOf(8) });
  }

  rebuild() {
    for (const chart of [this.signal, this.error, this.skill, this.spectrum]) if (chart.u) chart.rebuild();
  }

  /* The signal alone, as long as nothing is known about it. */
  bare({ time: x, grid, name, unit }) {
    this.span.setFull(0, x[x.length - 1]);
    const lines = [{ name, colour: "ink", wide: true, values: grid.value }];
    this.signal.show({ x, y: labelled(name, unit), words: `${name} over time.`, lines });
  }

  draw({ run: { received, estimate, skill, row }, time: x, grid, found, name, unit, others }) {
    const wanted = grid.value, own = { ...this.look(row.algorithm), width: 2 };
    const late = { name: "late value", colour: "muted", dash: [5, 4], width: 1.3 };
    const words = `${own.name}: mean error ${number(row.mae)}, largest ${number(row.max)} ${unit}.`;
    const difference = (values) => {
      const found = new Float64Array(values.length);
      for (let i = 0; i < found.length; i++) found[i] = values[i] - wanted[i];
      return found;
    };
    const jumps = (found?.jumps ?? []).slice(0, MOST_MARKS);
    const marks = jumps.map((at) => ({ name: "jump", at: x[at], colour: "bad", solid: true }));
    const [first, last] = judgedSpan(wanted.length);
    const bands = [{ name: "judged", low: x[first], high: x[last - 1], colour: "grid", alpha: "88" }];
    this.signal.show({ x, y: labelled(name, unit), words: `${name} over time. ${words}`, marks, bands, lines: [
      { name, colour: "ink", wide: true, values: wanted }, { ...late, steps: true, values: received },
      { ...own, values: estimate }, ...this.further(row.algorithm, others)] });
    this.error.show({ x, y: labelled("error", unit), words: `Error over time. ${words}`, lines: [
      { ...late, values: difference(received) }, { ...own, values: difference(estimate) }] });
    const told = `Skill of ${own.name} over time, at the end ${number(row.skill, 3)}.`;
    this.skill.show({ x, words: told, lines: [{ ...own, values: skill }] });
  }

  /* Estimates of all others, which the legend shows on request. */
  further(chosen, estimates) {
    const others = [...estimates].filter(([algorithm]) => algorithm !== chosen);
    for (const [algorithm] of others) {
      if (!this.offered.has(algorithm)) this.signal.hidden.add(this.look(algorithm).name);
      this.offered.add(algorithm);
    }
    this.signal.hidden.delete(this.look(chosen).name);
    this.offered.delete(chosen);
    return others.map(([algorithm, values]) => ({ ...this.look(algorithm), values }));
  }

  look(algorithm) {
    const { label, colour } = this.candidates.get(algorithm);
    return { name: label, colour };
  }

  /* The spectrum with its bands, once it is there, and the limits of the algorithms, once the latency is known. */
  describe({ found, name, known, ...scene }) {
    this.spectral.hidden = !found;
    if (!found) return;
    const { spectrum: { omega, power }, bands: { useful, disturbances } } = found;
    this.band.setFull(omega[0], omega[omega.length - 1]);
    const bands = [{ name: "useful", low: omega[0], high: useful, colour: "good" },
      ...disturbances.map(([low, high]) => ({ name: "disturbance", low, high, colour: "bad" }))];
    const limits = known ? this.limits(scene).filter(({ at }) => at >= omega[0]) : [];
    const marks = limits.map(({ name: one, at }) => ({
      name: `limit of ${this.look(one).name}`, at, colour: one, solid: true }));
    const words = `Power over frequency, useful up to ${number(useful)} rad/s, ${disturbances.length} disturbances.`;
    this.spectrum.show({ x: omega, bands, marks, words, y: "power density",
      lines: [{ name, colour: "ink", values: power }] });
    this.spectrum.entries();
  }

  /* Up to which frequency [rad/s] algorithms keep gain and phase, of those that tell. */
  limits({ values: { k, timing }, grid }) {
    const nyquist = Math.PI / grid.macroStep;
    const all = this.data.algorithms.map(({ name, limits }) => ({ name, at: limits[timing][k] ?? null }));
    return all.filter(({ at }) => at !== null).map(({ name, at }) => ({ name, at: at * nyquist }));
  }
}

const labelled = (quantity, unit) => (unit ? `${quantity} / ${unit}` : quantity);
