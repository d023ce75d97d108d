/* What the page asks about a recording: what it tells itself, a run of the chosen algorithm, all of them compared. */

import { recordingSteps } from "../engine/run.js";
import { validated } from "./advice.js";
import { discontinuities } from "./jumps.js";
import { judge } from "./judge.js";
import { noiseOf } from "./noise.js";
import { heard, paced } from "./paced.js";
import { proposedFloor, quantum, repeats } from "./sampling.js";
import { bands, spectrum } from "./spectrum.js";

const MADE_OF = 0.6;
const MOST_JUDGED = 10000;

/* The macro steps that judge, first to before last: what `couplant inspect` has for that, the last two fifths. */
export function judgedSpan(size) {
  const first = Math.trunc(MADE_OF * size);
  return [first, Math.min(size, first + MOST_JUDGED)];
}

/* Yields { spectrum, bands, jumps, quantum, floor, repeats, noise } of a signal on its macro steps. */
export async function* inspected(engine, { samples, macroStep }, stop) {
  const power = spectrum(samples, macroStep);
  await heard();
  if (stop()) return;
  const step = quantum(samples), floor = proposedFloor(step), jumps = discontinuities(samples, undefined, floor);
  const sampling = { quantum: step, floor, repeats: repeats(samples), noise: noiseOf(samples) };
  yield { spectrum: power, bands: bands(power), jumps, ...sampling };
}

/* Yields the run of the chosen algorithm: { time, received, estimate, skill, row }. */
export async function* estimated(engine, request, stop) {
  const done = await tried(engine, request, stop);
  if (done) yield done;
}

/* Yields the row of one algorithm after the other, with its estimate, and then how sure the best of them is:
   { row, estimate } and at last { share }. */
export async function* compared(engine, { algorithms, ...request }, stop) {
  const rows = [], estimates = new Map(), span = judgedSpan(request.samples.length);
  for (const algorithm of algorithms) {
    const done = await tried(engine, { ...request, algorithm }, stop);
    if (done === null) return;
    rows.push(done.row);
    estimates.set(algorithm, done.estimate.subarray(...span));
    yield { row: done.row, estimate: done.estimate };
  }
  yield { share: validated(request.samples.subarray(...span), rows, estimates) };
}

async function tried({ modules, data }, request, stop) {
  const done = await paced(recordingSteps({ modules, data, ...request }), stop);
  if (done === null) return null;
  const { algorithm, samples } = request, { time, received, estimate, skill } = done;
  const [first, last] = judgedSpan(samples.length);
  const figures = judge(samples.subarray(first, last), estimate.subarray(first, last));
  return { time, received, estimate, skill, row: { algorithm, ...figures, skill: lastOf(skill) } };
}

/* The last value that is there: of the step after the end nothing is known. */
function lastOf(values) {
  let at = values.length - 1;
  while (at >= 0 && !Number.isFinite(values[at])) at -= 1;
  return at < 0 ? null : values[at];
}
