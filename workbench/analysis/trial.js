/* How algorithms do on a recording, as couplant.design.judged tells: the kernel is fed with it, late, and a receiver reads
   at communication points. */

import { couplingOf } from "../engine/run.js";
import { Fmu } from "../engine/fmu.js";
import { WIRE } from "../python/couplant.base.style.js";
import { judge } from "./judge.js";

export const SHIFTS = [0.7, 0.8, 0.9, 1.1, 1.2, 1.3];
const MICRO_STEPS = 10;
const BEFORE = 4000; // macro steps that a run begins before the first that is judged, at most
const LONGEST_SHIFTED = 2000;
const AT_ONCE = 500; // macro steps between two looks for a newer question

/* Communication steps in a macro step: in event timing macro points decide. */
export const microSteps = (timing) => (timing === "step" ? MICRO_STEPS : 1);

/* The number of communication points from the first to the last macro step of a span. */
const pointsIn = ([first, last], m) => (last - 1 - first) * m + 1;

/* The newest value that has come at each communication point of a span, before the first one the first. */
export function wire(samples, span, k, m) {
  const [first] = span;
  return Float64Array.from({ length: pointsIn(span, m) }, (_, i) => samples[Math.max(first + Math.floor(i / m) - k, 0)]);
}

/* The true signal at the communication points of a span, straight between macro points. */
export function truth(samples, span, m) {
  const [first, last] = span;
  if (m === 1) return samples.slice(first, last);
  const end = samples.length - 1;
  return Float64Array.from({ length: pointsIn(span, m) }, (_, i) => {
    const at = (first * m + i) / m, n = Math.min(Math.floor(at), end);
    return n === end ? samples[end] : (samples[n + 1] - samples[n]) * (at - n) + samples[n];
  });
}

/* Steps of the estimates of an algorithm at the communication points of a span of the samples; yields now and then. */
export function* trial(module, request, [from, last]) {
  const { samples, macroStep, timing, k } = request, m = microSteps(timing), h = macroStep / m;
  const first = Math.max(0, from - BEFORE), count = (last - first) * m;
  const { text, parameters } = couplingOf(request);
  const fmu = new Fmu(module, "coupling").open(text), found = new Float64Array(count);
  try {
    for (const [name, value] of parameters) fmu.set(name, value);
    const late = (i) => first + Math.floor(i / m) - k;
    fmu.set("y", samples[Math.max(late(0), 0)]);
    fmu.set("y_valid", Number(late(0) >= 0));
    fmu.enter(0);
    fmu.begin();
    const loop = fmu.loop(["y", "y_valid"], ["y_hat"], AT_ONCE * m);
    for (let start = 0; start < count; start += AT_ONCE * m) {
      const n = Math.min(AT_ONCE * m, count - start);
      const row = (i) => [samples[Math.max(late(start + i), 0)], Number(late(start + i) >= 0)];
      found.set(loop.run(n, (i) => (start + i) * h, h, row, timing === "event"), start);
      yield;
    }
  } finally {
    fmu.free();
  }
  if (timing === "step") {
    found.copyWithin(1, 0, count - 1); // what a step gives out is for its end
    found[0] = samples[first];
  }
  return found.slice((from - first) * m, (last - 1 - first) * m + 1);
}

/* The samples played `factor` times as fast, by cubics, and where the span then lies: as couplant.design.judged.play. */
export function play(samples, [first, last], factor) {
  const end = samples.length - 1, size = Math.trunc(end / factor) + 1;
  const padded = (i) => {
    if (i < 0) return 2 * samples[0] - samples[1];
    return i > end ? 2 * samples[end] - samples[end - 1] : samples[i];
  };
  const played = Float64Array.from({ length: size }, (_, n) => {
    const at = factor * n, place = Math.min(Math.trunc(at), end - 1), x = at - place;
    const [before, here, there, after] = [-1, 0, 1, 2].map((i) => padded(place + i));
    const slope = 0.5 * (there - before), over = 0.5 * (after - here), rise = there - here;
    return here + x * (slope + x * ((3 * rise - 2 * slope - over) + x * (slope + over - 2 * rise)));
  });
  const begin = Math.min(Math.trunc(first / factor), size - 1);
  const stop = Math.min(size, begin + LONGEST_SHIFTED, Math.trunc(last / factor));
  return { samples: played, span: [begin, Math.max(begin + 1, stop)] };
}

/* Steps of the errors of `requests`, by name, and of the wire, on the signal played slower and faster: rows by scene. */
export function* scenes(module, requests, samples, span, k, timing) {
  const m = microSteps(timing), found = [];
  for (const factor of SHIFTS) {
    const other = play(samples, span, factor), true_ = truth(other.samples, other.span, m);
    const rows = [{ algorithm: WIRE, ...judge(true_, wire(other.samples, other.span, k, m)) }];
    for (const [algorithm, request] of requests) {
      const estimate = yield* trial(module, { ...request, samples: other.samples }, other.span);
      rows.push({ algorithm, ...judge(true_, estimate) });
    }
    found.push(rows);
  }
  return found;
}
