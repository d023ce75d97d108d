/* What the page asks about a recording: what it tells itself, a run of the chosen algorithm, all of them compared. */

import { WIRE } from "../python/couplant.base.style.js";
import { PREFERRED } from "../python/couplant.design.recommendation.js";
import { named, validated } from "./advice.js";
import { WEIGHTED, weightedSettings } from "./designs.js";
import { discontinuities } from "./jumps.js";
import { judge } from "./judge.js";
import { noiseOf } from "./noise.js";
import { heard, paced } from "./paced.js";
import { estimateLimits } from "./protection.js";
import { proposedFloor, quantum, repeats } from "./sampling.js";
import { judgedSpan, stepsIn } from "./span.js";
import { SHIFTS, course, scene, trial, truth } from "./trial.js";
import { bands, spectrum } from "./spectrum.js";

const MOST_DRAWN = 500000;

/* Yields { spectrum, bands, jumps, quantum, floor, repeats, noise } of a signal on its macro steps. */
export async function* inspected(engine, { samples, macroStep }, stop) {
  const power = spectrum(samples, macroStep);
  await heard();
  if (stop()) return;
  const step = quantum(samples), floor = proposedFloor(step), jumps = discontinuities(samples, undefined, floor);
  const sampling = { quantum: step, floor, repeats: repeats(samples), noise: noiseOf(samples) };
  yield { spectrum: power, bands: bands(power), jumps, ...sampling };
}

/* Yields the run of the chosen algorithm: { received, estimate, skill, row, weights }, or { lacking } where there
   is nothing to make its weights of. */
export async function* estimated(engine, request, stop) {
  const done = await tried(engine, protectedBy(request), stop);
  if (done) yield done;
}

/* Yields what is being done, { doing, done, all }, a candidate or how fast the signal is played; the row of the wire
   and of one algorithm after the other with its estimate (null of a long one), { row, estimate }, then `plain`, all
   of them, then the rows of those with weights that are made of the recording, and at last how sure the best of all is and how
   they do on the signal played slower and faster, { share, shifted }. */
export async function* compared(engine, { algorithms, ...asked }, stop) {
  const request = protectedBy(asked), rows = [], estimates = new Map(), others = new Map(), every = [...algorithms, ...WEIGHTED];
  const all = every.length + SHIFTS.length;
  const enter = (row, judged) => { rows.push(row); estimates.set(row.algorithm, judged); };
  for (const [done, algorithm] of every.entries()) {
    if (done === algorithms.length) yield { plain: true };
    yield { doing: algorithm, done, all };
    const found = await tried(engine, { ...request, algorithm }, stop);
    if (found === null) return;
    if (found.lacking) continue;
    if (!rows.length) {
      const judged = wireOf(request, found.received);
      const row = { algorithm: WIRE, ...judge(judgedValue(request), judged), skill: null };
      enter(row, judged);
      yield { row, estimate: drawable(found.received) };
    }
    enter(found.row, found.judged); // the whole is not kept
    others.set(algorithm, { ...engine, ...request, algorithm, ...found.own });
    yield { row: found.row, estimate: drawable(found.estimate) };
  }
  const shifted = yield* played(engine, request, rows, others, stop, every.length);
  if (shifted !== null) yield { share: validated(judgedValue(request), rows, shifted, estimates), shifted };
}

/* Yields what is being done; returns the rows of the signal played slower and faster, null if it was stopped. */
async function* played(engine, request, rows, others, stop, before) {
  const span = judgedSpan(request.samples.length), shifted = [];
  const asked = new Map([...others].filter(([name]) => PREFERRED.includes(name)));
  if (!rows.length || !(named(rows).get(WIRE).worst > 0)) return shifted;
  for (const [done, factor] of SHIFTS.entries()) {
    yield { doing: factor, done: before + done, all: before + SHIFTS.length };
    const found = await paced(scene(engine.modules, asked, { data: engine.data, ...request }, span, factor), stop);
    if (found === null) return null;
    shifted.push(found);
  }
  return shifted;
}

/* A run of an algorithm in the network that is set, judged at communication points, as by `couplant inspect`. */
async function tried(engine, request, stop) {
  const done = await paced(stepsOf(engine, request), stop);
  if (done === null || done.lacking) return done;
  const { algorithm, samples } = request, { received, estimate, skill, fine, weights, own } = done;
  const span = judgedSpan(samples.length), asked = { ...engine, ...request, ...own };
  const judged = fine ?? await paced(trial(engine.modules, asked, span), stop);
  if (judged === null) return null;
  const row = { algorithm, ...judge(judgedValue(request), judged), skill: lastOf(skill) };
  return { received, estimate, skill, weights, own, judged, row };
}

function judgedValue(request) {
  return truth(request.samples, judgedSpan(request.samples.length), stepsIn(request));
}

/* What a receiver has without an FMU; before the first value that has come the one that the signal begins with. */
function wireOf(request, received) {
  const { samples } = request, m = stepsIn(request), [first, last] = judgedSpan(samples.length);
  const at = (i) => received[first + Math.floor(i / m)];
  return Float64Array.from({ length: (last - 1 - first) * m + 1 }, (_, i) => (Number.isNaN(at(i)) ? samples[0] : at(i)));
}

/* What draws an estimate beside others, null where all of them would fill the memory of the page. */
function drawable(estimate) {
  return estimate.length > MOST_DRAWN ? null : Float32Array.from(estimate);
}

/* The run of an algorithm, after its weights are made where it has some. */
function* stepsOf({ modules, data, settings, designs }, request) {
  const { algorithm } = request, made = WEIGHTED.includes(algorithm);
  const weights = made ? yield* designs.weights(algorithm, request) : null;
  if (made && weights === null) return { lacking: true };
  const own = weights && { algorithm: weights.selected, settings: weightedSettings(settings, request, weights) };
  const asked = { data, ...request, ...own }, span = judgedSpan(request.samples.length);
  return { ...yield* course(modules, asked, span), weights, own: own ?? {} };
}

/* The last value that is there: of the step after the end nothing is known. */
function lastOf(values) {
  let at = values.length - 1;
  while (at >= 0 && !Number.isFinite(values[at])) at -= 1;
  return at < 0 ? null : values[at];
}

/* A request with the parameters of its coupling FMUs that the settings of a recording have: limits, and a floor of jumps. */
function protectedBy({ parameters, ...request }) {
  const { samples, macroStep } = request, floor = proposedFloor(quantum(samples));
  const found = Object.entries(estimateLimits(samples, macroStep / stepsIn(request))).map(([name, v]) => [`output.${name}`, v]);
  const jumps = floor ? { "discontinuity.floor": floor } : {};
  return { ...request, parameters: { ...Object.fromEntries(found), ...jumps, ...parameters } };
}
