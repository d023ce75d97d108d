/* What the page asks about a recording: what it tells itself, a run of the chosen algorithm, all of them compared. */

import { WIRE } from "../python/couplant.base.style.js";
import { PERIODIC_SHIFTS } from "../python/couplant.analysis.signal.periodic.js";
import { PHASOR, PREFERRED } from "../python/couplant.design.recommendation.js";
import { named, validated } from "./advice.js";
import { MADE, weightedSettings } from "./designs.js";
import { discontinuities } from "./jumps.js";
import { judge } from "./judge.js";
import { noiseOf } from "./noise.js";
import { heard, paced } from "./paced.js";
import { estimateLimits } from "./protection.js";
import { proposedFloor, quantum, repeats } from "./sampling.js";
import { judgedSpan, stepsIn } from "./span.js";
import { SHIFTS, course, glimpse, isShort, scene, trial, truth, way, wire } from "./trial.js";
import { bands, spectrum } from "./spectrum.js";

const MOST_DRAWN = 500000;
const MOST_TABLES = 65; // one for each latency that may be set

/* Yields { spectrum, bands, jumps, quantum, floor, repeats, noise, periodic } of a signal on its macro steps. */
export async function* inspected(engine, { samples, macroStep }, stop) {
  const power = spectrum(samples, macroStep);
  await heard();
  if (stop()) return;
  const step = quantum(samples), floor = proposedFloor(step), jumps = discontinuities(samples, undefined, floor);
  const sampling = { quantum: step, floor, repeats: repeats(samples), noise: noiseOf(samples) };
  const periodic = engine.designs.wave({ samples, macroStep });
  yield { spectrum: power, bands: bands(power), jumps, ...sampling, periodic };
}

/* Yields the run of the chosen algorithm: { received, estimate, skill, row, weights }, of a long recording as far as it
   is judged, or { lacking } where there is nothing to make its weights of. */
export async function* estimated(engine, asked, stop) {
  const { algorithm, samples } = asked, table = tableOf(engine, asked), span = judgedSpan(samples.length);
  const row = table?.rows.find((one) => one.algorithm === algorithm);
  const { drawn, weights } = table?.made.get(algorithm) ?? {};
  if (drawn && !isShort(span)) {
    const done = await paced(glimpse(engine.modules, { data: engine.data, ...asked }, span, drawn), stop);
    if (done) yield { ...done, row, weights };
    return;
  }
  const done = await tried(engine, protectedBy(asked), stop);
  if (!done || done.lacking) {
    if (done) yield done;
    return;
  }
  const run = done.run ?? await paced(glimpse(engine.modules, { data: engine.data, ...asked }, span, done.drawn), stop);
  if (run) yield { ...run, row: done.row, weights: done.weights };
}

/* Yields of a long recording what algorithms do on all of it, the chosen one first, { algorithm, last, received,
   estimate, skill }, `last` of the skill; of the others { algorithm, last, estimate }, and an end, { whole }. */
export async function* completed(engine, asked, stop) {
  const { algorithm: chosen, algorithms, samples } = asked, request = protectedBy(asked);
  if (isShort(judgedSpan(samples.length))) return;
  for (const algorithm of new Set([chosen, ...algorithms, ...engine.designs.tried(asked)])) {
    const done = await paced(stepsOf(engine, { ...request, algorithm }, course), stop);
    if (done === null) return;
    if (done.lacking) continue;
    const { received, estimate, skill } = done, last = lastOf(skill);
    const row = tableOf(engine, asked)?.rows.find((one) => one.algorithm === algorithm);
    if (row) row.skill = last;
    if (algorithm === chosen) yield { algorithm, last, received, estimate, skill };
    else yield { algorithm, last, estimate: drawable(estimate) };
  }
  yield { whole: true };
}

/* Makes tables of all latencies up to `reach`, the nearest ones first; tells nothing. */
export async function* lookAhead(engine, { reach, ...asked }, stop) {
  const away = (k) => Math.abs(k - asked.k), latencies = Array.from({ length: reach + 1 }, (_, k) => k);
  for (const k of latencies.sort((one, other) => away(one) - away(other))) {
    const request = { ...asked, k };
    if (tableOf(engine, request)) continue;
    const parts = compared(engine, request, stop);
    while (!(await parts.next()).done);
    if (stop()) return;
  }
}

const keyOf = ({ samples, algorithm, algorithms, ...asked }) => JSON.stringify(asked);

/* What was compared before for the same: { rows, share, shifted, made }, with { drawn, weights } by algorithm. */
function tableOf({ designs }, asked) {
  return designs?.tablesOf(asked).get(keyOf(asked));
}

function keepTable({ designs }, asked, table) {
  const tables = designs.tablesOf(asked), key = keyOf(asked);
  tables.delete(key);
  tables.set(key, table);
  if (tables.size > MOST_TABLES) tables.delete(tables.keys().next().value);
}

/* Yields what is being done, { doing, done, all }, a candidate or how fast the signal is played; the row of the wire
   and of one algorithm after the other with its estimate (null of a long one), { row, estimate }, then `plain`, all
   of them, then the rows of those with weights that are made of the recording, and at last how sure the best of all is and how
   they do on the signal played slower and faster, { share, shifted }. What was compared before is told at once. */
export async function* compared(engine, asked, stop) {
  const table = tableOf(engine, asked), short = isShort(judgedSpan(asked.samples.length));
  if (!table) {
    yield* comparing(engine, asked, stop, short);
    return;
  }
  const { rows, made, share, shifted } = table;
  keepTable(engine, asked, table);
  for (const row of rows) yield { row, estimate: short ? made.get(row.algorithm).drawn : null };
  yield { share, shifted };
}

async function* comparing(engine, { algorithms, ...asked }, stop, short) {
  const request = protectedBy(asked), rows = [], estimates = new Map(), others = new Map(), made = new Map();
  const every = [...algorithms, ...engine.designs.tried(asked)], all = every.length + shiftsOf(engine, asked).length;
  const enter = ({ row, judged, drawn, weights = null }) => {
    const estimate = Float32Array.from(drawn);
    made.set(row.algorithm, { drawn: estimate, weights });
    rows.push(row);
    estimates.set(row.algorithm, judged);
    return { row, estimate: short ? estimate : null };
  };
  for (const [done, algorithm] of every.entries()) {
    if (done === algorithms.length) yield { plain: true };
    yield { doing: algorithm, done, all };
    const found = await tried(engine, { ...request, algorithm }, stop);
    if (found === null) return;
    if (found.lacking) continue;
    if (!rows.length) {
      const judged = await paced(wireOf(engine.modules.network, { data: engine.data, ...request }), stop);
      if (judged === null) return;
      const row = { algorithm: WIRE, ...judge(judgedValue(request), judged), skill: null };
      yield enter({ row, judged, drawn: found.run?.received ?? [] });
    }
    others.set(algorithm, { ...engine, ...request, algorithm, ...found.own });
    yield enter(found);
  }
  const shifted = yield* played(engine, request, rows, others, stop, every.length);
  if (shifted === null) return;
  const share = validated(judgedValue(request), rows, shifted, estimates);
  keepTable(engine, asked, { rows, share, shifted, made });
  yield { share, shifted };
}

/* How fast the signal is played besides: a periodic one within the reach of phasors too. */
function shiftsOf({ designs }, asked) {
  return designs.wave(asked) ? [...SHIFTS, ...PERIODIC_SHIFTS] : SHIFTS;
}

/* Yields what is being done; returns the rows of the signal played slower and faster, null if it was stopped. */
async function* played(engine, request, rows, others, stop, before) {
  const span = judgedSpan(request.samples.length), shifted = [], wave = engine.designs.wave(request);
  const shifts = others.has(PHASOR) ? shiftsOf(engine, request) : SHIFTS;
  if (!rows.length || !(named(rows).get(WIRE).worst > 0)) return shifted;
  for (const [done, factor] of shifts.entries()) {
    yield { doing: factor, done: before + done, all: before + shifts.length };
    const reached = (name) => name !== PHASOR || wave.reaches(factor);
    const asked = new Map([...others].filter(([name]) => PREFERRED.includes(name) && reached(name)));
    const found = await paced(scene(engine.modules, asked, { data: engine.data, ...request }, span, factor), stop);
    if (found === null) return null;
    shifted.push(found);
  }
  return shifted;
}

/* A run of an algorithm in the network that is set, judged at communication points, as by `couplant inspect`. */
async function tried(engine, request, stop) {
  const done = await paced(stepsOf(engine, request, judgedSteps), stop);
  if (done === null || done.lacking) return done;
  const { algorithm } = request, { judged, run } = done;
  return { ...done, row: { algorithm, ...judge(judgedValue(request), judged), skill: run ? lastOf(run.skill) : null } };
}

/* Steps of a run { judged, drawn, run }: what is judged, what is drawn beside others, and the run of all samples, null
   of a long recording. */
function* judgedSteps(modules, request, span) {
  if (isShort(span)) {
    const { fine: judged, ...run } = yield* course(modules, request, span);
    return { judged, drawn: run.estimate, run };
  }
  const judged = yield* trial(modules, request, span), m = stepsIn(request);
  return { judged, drawn: judged.filter((_, i) => i % m === 0), run: null };
}

const truths = new WeakMap(); // the last one by samples

function judgedValue(request) {
  const { samples } = request, m = stepsIn(request), known = truths.get(samples);
  if (known?.m === m) return known.value;
  const value = truth(samples, judgedSpan(samples.length), m);
  truths.set(samples, { m, value });
  return value;
}

/* Steps of what a receiver has without an FMU; before the first value that has come the one that the signal begins with. */
function* wireOf(module, request) {
  const { samples } = request, span = judgedSpan(samples.length);
  return wire(samples, span, stepsIn(request), yield* way(module, request, span[1]));
}

/* What draws an estimate beside others, null where all of them would fill the memory of the page. */
function drawable(estimate) {
  return estimate.length > MOST_DRAWN ? null : Float32Array.from(estimate);
}

/* The run of an algorithm by `steps`, after its weights are made where it has some. */
function* stepsOf({ modules, data, settings, designs }, request, steps) {
  const { algorithm } = request, made = MADE.includes(algorithm);
  const weights = made ? yield* designs.weights(algorithm, request) : null;
  if (made && weights === null) return { lacking: true };
  const own = weights && { algorithm: weights.selected, settings: weightedSettings(settings, request, weights) };
  const asked = { data, ...request, ...own }, span = judgedSpan(request.samples.length);
  return { ...yield* steps(modules, asked, span), weights, own: own ?? {} };
}

/* The last value that is there: of the step after the end nothing is known. */
function lastOf(values) {
  let at = values.length - 1;
  while (at >= 0 && !Number.isFinite(values[at])) at -= 1;
  return at < 0 ? null : values[at];
}

const floors = new WeakMap(); // by samples

/* A request with the parameters of its coupling FMUs that the settings of a recording have: limits, and a floor of jumps. */
function protectedBy({ parameters, ...request }) {
  const { samples, macroStep } = request;
  if (!floors.has(samples)) floors.set(samples, proposedFloor(quantum(samples)));
  const found = Object.entries(estimateLimits(samples, macroStep / stepsIn(request))).map(([name, v]) => [`output.${name}`, v]);
  const floor = floors.get(samples), jumps = floor ? { "discontinuity.floor": floor } : {};
  return { ...request, parameters: { ...Object.fromEntries(found), ...jumps, ...parameters } };
}
