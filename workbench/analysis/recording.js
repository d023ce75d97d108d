/* What the page asks about a recording: what it tells itself, a run of the chosen algorithm, all of them compared. */

import { recordingSteps } from "../engine/run.js";
import { validated } from "./advice.js";
import { WEIGHTED, weightedSettings } from "./designs.js";
import { discontinuities } from "./jumps.js";
import { judge } from "./judge.js";
import { noiseOf } from "./noise.js";
import { heard, paced } from "./paced.js";
import { proposedFloor, quantum, repeats } from "./sampling.js";
import { judgedSpan } from "./span.js";
import { bands, spectrum } from "./spectrum.js";

const MOST_DRAWN = 500000;
const JUDGED = ["estimate", "quality.skill"];
const SHOWN = ["received", ...JUDGED];

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

/* Yields the row of one algorithm after the other with its estimate (null of a long one), { row, estimate }, then
   `plain`, all of them, then the rows of those with weights that are made of the recording, and at last how sure the
   best of all is, { share }. */
export async function* compared(engine, { algorithms, ...request }, stop) {
  const rows = [], estimates = new Map(), span = judgedSpan(request.samples.length);
  for (const algorithm of [...algorithms, null, ...WEIGHTED]) {
    if (algorithm === null) {
      yield { plain: true };
      continue;
    }
    const done = await tried(engine, { ...request, algorithm, only: JUDGED }, stop);
    if (done === null) return;
    if (done.lacking) continue;
    rows.push(done.row);
    estimates.set(algorithm, done.estimate.slice(...span)); // the whole is not kept
    yield { row: done.row, estimate: drawable(done.estimate) };
  }
  yield { share: validated(request.samples.subarray(...span), rows, estimates) };
}

async function tried(engine, request, stop) {
  const done = await paced(stepsOf(engine, request), stop);
  if (done === null || done.lacking) return done;
  const { algorithm, samples } = request, { received, estimate, skill, weights } = done;
  const [first, last] = judgedSpan(samples.length);
  const figures = judge(samples.subarray(first, last), estimate.subarray(first, last));
  return { received, estimate, skill, weights, row: { algorithm, ...figures, skill: lastOf(skill) } };
}

/* What draws an estimate beside others, null where all of them would fill the memory of the page. */
function drawable(estimate) {
  return estimate.length > MOST_DRAWN ? null : Float32Array.from(estimate);
}

/* The run of an algorithm, after its weights are made where it has some. */
function* stepsOf({ modules, data, settings, designs }, request) {
  const own = { modules, data, only: SHOWN, ...request };
  if (!WEIGHTED.includes(request.algorithm)) return { ...yield* recordingSteps(own), weights: null };
  const weights = yield* designs.weights(request.algorithm, request);
  if (weights === null) return { lacking: true };
  const text = weightedSettings(settings, request, weights);
  return { ...yield* recordingSteps({ ...own, algorithm: weights.selected, settings: text }), weights };
}

/* The last value that is there: of the step after the end nothing is known. */
function lastOf(values) {
  let at = values.length - 1;
  while (at >= 0 && !Number.isFinite(values[at])) at -= 1;
  return at < 0 ? null : values[at];
}
