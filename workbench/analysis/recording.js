/* What the page asks about a recording: what it tells itself, a run of the chosen algorithm, all of them compared. */

import { recordingSteps } from "../engine/run.js";
import { WIRE } from "../python/couplant.base.style.js";
import { PREFERRED } from "../python/couplant.design.recommendation.js";
import { named, validated } from "./advice.js";
import { WEIGHTED, weightedSettings } from "./designs.js";
import { discontinuities } from "./jumps.js";
import { judge } from "./judge.js";
import { noiseOf } from "./noise.js";
import { heard, paced } from "./paced.js";
import { proposedFloor, quantum, repeats } from "./sampling.js";
import { judgedSpan } from "./span.js";
import { microSteps, scenes, trial, truth, wire } from "./trial.js";
import { bands, spectrum } from "./spectrum.js";

const MOST_DRAWN = 500000;
const SHOWN = ["received", "estimate", "quality.skill"];

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
  const done = await tried(engine, request, stop);
  if (done) yield done;
}

/* Yields the row of the wire and of one algorithm after the other with its estimate (null of a long one),
   { row, estimate }, then `plain`, all of them, then the rows of those with weights that are made of the recording, and
   at last how sure the best of all is and how they do on the signal played slower and faster, { share, shifted }. */
export async function* compared(engine, { algorithms, ...request }, stop) {
  const rows = [], estimates = new Map(), others = new Map(), { samples, timing, k } = request;
  const span = judgedSpan(samples.length), value = judgedValue(request);
  const enter = (row, judged) => { rows.push(row); estimates.set(row.algorithm, judged); };
  for (const algorithm of [...algorithms, null, ...WEIGHTED]) {
    if (algorithm === null) {
      yield { plain: true };
      continue;
    }
    const done = await tried(engine, { ...request, algorithm, only: SHOWN }, stop);
    if (done === null) return;
    if (done.lacking) continue;
    if (!rows.length) {
      const judged = wireOf(request, done.received);
      const row = { algorithm: WIRE, ...judge(value, judged), skill: null };
      enter(row, judged);
      yield { row, estimate: drawable(done.received) };
    }
    enter(done.row, done.judged); // the whole is not kept
    if (isConstant(request)) others.set(algorithm, { ...engine, ...request, algorithm, ...done.own });
    yield { row: done.row, estimate: drawable(done.estimate) };
  }
  const asked = new Map([...others].filter(([name]) => PREFERRED.includes(name)));
  const moves = rows.length > 0 && named(rows).get(WIRE).worst > 0;
  const played = scenes(engine.modules.coupling, asked, samples, span, k, timing);
  const shifted = moves && isConstant(request) ? await paced(played, stop) : [];
  if (shifted !== null) yield { share: validated(value, rows, shifted, estimates), shifted };
}

/* A run of an algorithm in the network that is set; it is judged at communication points where the latency is constant,
   as by `couplant inspect`, else at macro points. */
async function tried(engine, request, stop) {
  const done = await paced(stepsOf(engine, request), stop);
  if (done === null || done.lacking) return done;
  const { algorithm, samples } = request, { received, estimate, skill, weights, own } = done;
  const span = judgedSpan(samples.length), asked = { ...engine, ...request, ...own };
  const fine = isConstant(request) ? await paced(trial(engine.modules.coupling, asked, span), stop) : null;
  if (fine === null && isConstant(request)) return null;
  const judged = fine ?? estimate.slice(...span);
  const row = { algorithm, ...judge(judgedValue(request), judged), skill: lastOf(skill) };
  return { received, estimate, skill, weights, own, judged, row };
}

const isConstant = ({ jitter = 0, loss = 0 }) => !(jitter > 0 || loss > 0);
const stepsIn = (request) => (isConstant(request) ? microSteps(request.timing) : 1);

function judgedValue(request) {
  return truth(request.samples, judgedSpan(request.samples.length), stepsIn(request));
}

/* What a receiver has without an FMU; before the first value that has come the one that the signal begins with. */
function wireOf(request, received) {
  const { samples, k } = request, span = judgedSpan(samples.length);
  if (isConstant(request)) return wire(samples, span, k, stepsIn(request));
  return received.slice(...span).map((v) => (Number.isNaN(v) ? samples[0] : v));
}

/* What draws an estimate beside others, null where all of them would fill the memory of the page. */
function drawable(estimate) {
  return estimate.length > MOST_DRAWN ? null : Float32Array.from(estimate);
}

/* The run of an algorithm, after its weights are made where it has some. */
function* stepsOf({ modules, data, settings, designs }, request) {
  const own = { modules, data, only: SHOWN, ...request };
  if (!WEIGHTED.includes(request.algorithm)) return { ...yield* recordingSteps(own), weights: null, own: {} };
  const weights = yield* designs.weights(request.algorithm, request);
  if (weights === null) return { lacking: true };
  const text = weightedSettings(settings, request, weights);
  const chosen = { algorithm: weights.selected, settings: text };
  return { ...yield* recordingSteps({ ...own, ...chosen }), weights, own: chosen };
}

/* The last value that is there: of the step after the end nothing is known. */
function lastOf(values) {
  let at = values.length - 1;
  while (at >= 0 && !Number.isFinite(values[at])) at -= 1;
  return at < 0 ? null : values[at];
}
