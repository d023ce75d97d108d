/* Candidates that are made of a recording: a design, `auto` with it, weights that were learnt, phasors of a wave. */

import { designFor } from "../design/from_recording.js";
import { learn } from "../design/learnt.js";
import { equal } from "../engine/run.js";
import { periodic } from "../python/couplant.analysis.signal.periodic.js";
import { AUTO_DESIGNED, AUTO_LEARNT, DESIGNED, LEARNT, PHASOR } from "../python/couplant.design.recommendation.js";
import { runtime_settings } from "../python/couplant.pack.settings.js";
import { SettingsFile } from "../python/couplant.pack.archive.identity.js";
import { real } from "../python/real.js";
import { linesOf } from "./keys.js";
import { judgedSpan } from "./span.js";
import { spectrum } from "./spectrum.js";

const WEIGHTED = [LEARNT, DESIGNED, AUTO_DESIGNED, AUTO_LEARNT];
export const MADE = [...WEIGHTED, PHASOR];
const SIGNAL = "signal";

/* What was made of the recording that was asked about last, each once. */
export class Designs {
  constructor() {
    this.samples = new Float64Array();
  }

  /* The fundamental and harmonics that the recording is, null where it is not periodic. */
  wave({ samples, macroStep }) {
    return this.part(samples, macroStep)?.wave ?? null;
  }

  /* Names of the candidates that are tried. */
  tried(asked) {
    return this.wave(asked) ? MADE : WEIGHTED;
  }

  /* Returns the keys of a candidate's algorithm, { selected, steps, a, A } or those of a wave, null where nothing can be
     made; yields now and then. */
  *weights(name, { samples, macroStep, k, timing }) {
    const part = this.part(samples, macroStep);
    if (part === null || k + (timing === "step" ? 1 : 0) === 0) return null;
    if (name === PHASOR) return part.wave && Object.fromEntries(part.wave.algorithm());
    const selected = name === AUTO_DESIGNED || name === AUTO_LEARNT ? "auto" : "linear";
    const found = yield* name === LEARNT || name === AUTO_LEARNT ? this.learnt(part, k, timing) : this.designed(part, k, timing);
    return found && { selected, steps: k, a: found.a, A: found.A };
  }

  /* What is made of: the part of the recording that does not judge, null where it is constant. */
  part(samples, macroStep) {
    const same = samples === this.samples || equal(samples, this.samples);
    this.samples = samples;
    if (macroStep === this.macroStep && same) return this.known;
    Object.assign(this, { macroStep, made: new Map(), tables: new Map() });
    const value = samples.subarray(0, judgedSpan(samples.length)[0]);
    const moves = value.some((one) => one !== value[0]);
    const made = () => ({ spectrum: spectrum(value, macroStep), wave: periodic(value, macroStep) });
    this.known = moves ? { name: "signal", value, macroStep, ...made() } : null;
    return this.known;
  }

  /* Tables of the recording by what was asked, the one asked for last at the end. */
  tablesOf({ samples, macroStep }) {
    this.part(samples, macroStep);
    return this.tables;
  }

  *designed(part, k, timing) {
    return yield* this.once(`designed ${k} ${timing}`, function* made() {
      yield;
      return designFor(part, k, timing);
    });
  }

  *learnt(part, k, timing) {
    const event = k > 0 ? yield* this.designed(part, k, "event") : null;
    return yield* this.once(`learnt ${k} ${timing}`, () => learn(part, k, timing, event));
  }

  *once(key, make) {
    if (!this.made.has(key)) this.made.set(key, yield* make());
    return this.made.get(key);
  }
}

/* Settings of the coupling FMU of a recording with what `weights` returned, as the runs of the page take them. Where
   stamps tell the latency of each message weights hold for their own one. */
export function weightedSettings(settings, { macroStep, timing, k, jitter, loss }, { selected, ...keys }) {
  const stamped = jitter > 0 || loss > 0;
  const latency = stamped ? 'mode = "stamps"' : `mode = "constant", constant_steps = ${k}`;
  const row = linesOf(keys).join(", ");
  const text = `[interface]\nname = "recording"\nmacro_step = ${real(macroStep)}\ntiming = "${timing}"\n` +
    `[signals.${SIGNAL}]\nlatency = { ${latency} }\n` +
    `algorithm = { selected = "${selected}", ${stamped && keys.a ? `table = [{ ${row} }]` : row} }\n`;
  const { interface: found, errors } = settings.check(text, "settings");
  if (errors !== undefined) throw new Error(errors.join(" "));
  return new SettingsFile("couplant", "0".repeat(16), runtime_settings(found, SIGNAL).lists()).text();
}
