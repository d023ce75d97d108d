/* How algorithms do on a recording, as couplant.design.judged tells: the kernel is fed with what the network gives out,
   and a receiver reads at communication points. */

import { couplingOf, networkOf } from "../engine/run.js";
import { Fmu } from "../engine/fmu.js";
import { WIRE } from "../python/couplant.base.style.js";
import { errors } from "./judge.js";
import { stepsIn } from "./span.js";

export const SHIFTS = [0.7, 0.8, 0.9, 1.1, 1.2, 1.3];
const BEFORE = 4000; // macro steps that a run begins before the first that is judged, at most
const LONGEST_SHIFTED = 2000;
const EARLIER = 1000; // macro steps that a value of before may be old, at most
const AT_ONCE = 500; // macro steps between two looks for a newer question

const MOST_PASSED = 1e6; // macro steps of networks before that are kept, but for the last one

const passed = new Map(); // what networks before gave out, the last one last: whoever moves back does not wait again
const INPUTS = ["y", "y_time", "y_valid"];

/* The number of communication points from the first to the last macro step of a span. */
const pointsIn = ([first, last], m) => (last - 1 - first) * m + 1;

/* Steps of what the network gives out at each of `count` macro steps, as couplant.analysis.signal.way: when the value
   was sent that comes in, -1 where none does, and the one that a receiver has, -1 before the first. */
export function* way(module, request, count) {
  const { k, jitter, loss, macroStep } = request, network = jitter || loss ? networkOf(request) : null;
  const key = JSON.stringify(network ?? k);
  const known = passed.get(key);
  passed.delete(key);
  if (known && count <= known.arrivals.length) return passed.set(key, known).get(key);
  const arrivals = new Int32Array(count), latest = new Int32Array(count);
  for (let n = 0; n < count; n++) arrivals[n] = Math.max(n - k, -1); // what nothing disturbs needs no network
  if (network !== null) yield* carry(new Fmu(module, "network").open(network.text), network, macroStep, arrivals);
  for (let n = 0; n < count; n++) latest[n] = arrivals[n] < 0 && n > 0 ? latest[n - 1] : arrivals[n];
  while (passed.size && (passed.size + 1) * count > MOST_PASSED) passed.delete(passed.keys().next().value);
  return passed.set(key, { arrivals, latest }).get(key);
}

/* Steps of a network that is sent the numbers of macro steps, into `arrivals`. */
function* carry(fmu, { parameters }, macroStep, arrivals) {
  try {
    for (const [name, value] of parameters) fmu.set(name, value);
    fmu.enter(0);
    fmu.begin();
    const loop = fmu.loop(["value"], ["received", "valid"], AT_ONCE);
    for (let start = 0; start < arrivals.length; start += AT_ONCE) {
      const n = Math.min(AT_ONCE, arrivals.length - start);
      const found = loop.run(n, macroStep, (times, given) => {
        for (let i = 0; i < n; i++) times[i] = macroStep * (given[i] = start + i);
      }, true);
      for (let i = 0; i < n; i++) arrivals[start + i] = found[2 * i + 1] > 0 ? found[2 * i] : -1;
      yield;
    }
  } finally {
    fmu.free();
  }
}

/* The value that came last at each communication point of a span, before the first one the first. */
export function wire(samples, span, m, { latest }) {
  const [first] = span, found = new Float64Array(pointsIn(span, m));
  for (let i = 0; i < found.length; i++) found[i] = samples[Math.max(latest[first + Math.floor(i / m)], 0)];
  return found;
}

/* The true signal at the communication points of a span, straight between macro points. */
export function truth(samples, span, m) {
  const [first, last] = span;
  if (m === 1) return samples.slice(first, last);
  const end = samples.length - 1;
  const found = new Float64Array(pointsIn(span, m));
  for (let i = 0; i < found.length; i++) {
    const at = (first * m + i) / m, n = Math.min(Math.floor(at), end);
    found[i] = n === end ? samples[end] : (samples[n + 1] - samples[n]) * (at - n) + samples[n];
  }
  return found;
}

/* Steps of an FMU that is fed with samples from macro step `first` to `last` as they come in; yields now and then.
   `take(values, at)` is given `outputs` after so many communication steps, row by row, and how many were before. */
function* fed({ coupling, network }, request, [first, last], outputs, take) {
  const { samples, macroStep, timing } = request, m = stepsIn(request);
  const { arrivals, latest } = yield* way(network, request, last);
  const h = macroStep / m, count = (last - first) * m;
  const { text, parameters } = couplingOf(request);
  const fmu = new Fmu(coupling, "coupling").open(text);
  try {
    for (const [name, value] of parameters) fmu.set(name, value);
    const fill = (start) => (times, given) => {
      for (let i = 0; i < times.length; i++) {
        const step = start + i, at = first + Math.floor(step / m), sent = Math.max(latest[at], 0);
        times[i] = step * h;
        given[3 * i] = samples[sent];
        given[3 * i + 1] = macroStep * (sent - first);
        given[3 * i + 2] = step % m === 0 && arrivals[at] >= first ? 1 : 0;
      }
    };
    const begin = new Float64Array(INPUTS.length);
    fill(0)(new Float64Array(1), begin);
    INPUTS.forEach((name, i) => fmu.set(name, begin[i]));
    fmu.enter(0);
    fmu.begin();
    const loop = fmu.loop(INPUTS, outputs, AT_ONCE * m);
    for (let start = 0; start < count; start += AT_ONCE * m) {
      const n = Math.min(AT_ONCE * m, count - start);
      take(loop.run(n, h, fill(start), timing === "event"), start);
      yield;
    }
  } finally {
    fmu.free();
  }
}

/* Steps of the estimates of an algorithm at the communication points of a span of the samples. */
export function* trial(modules, request, [from, last]) {
  const { samples, timing } = request, m = stepsIn(request), first = Math.max(0, from - BEFORE);
  const found = new Float64Array((last - first) * m);
  yield* fed(modules, request, [first, last], ["y_hat"], (values, at) => found.set(values, at));
  if (timing === "step") {
    found.copyWithin(1, 0, found.length - 1); // what a step gives out is for its end
    found[0] = samples[first];
  }
  return found.slice((from - first) * m, (last - 1 - first) * m + 1);
}

/* Steps of what there is at each macro point of the samples, { received, estimate, skill }; `fine` is what `trial` gives
   for a span that is no later than where a trial begins, else null. */
export function* course(modules, request, [from, last]) {
  const { samples, timing } = request, { length } = samples, m = stepsIn(request), ahead = Number(timing === "step");
  const estimate = new Float64Array(length), skill = new Float64Array(length);
  const fine = isShort([from]) ? new Float64Array((last - 1 - from) * m + 1) : null;
  estimate[0] = samples[0];
  yield* fed(modules, request, [0, length], ["y_hat", "quality.skill"], (values, at) => {
    for (let i = 0; 2 * i < values.length; i++) {
      const step = at + i, point = (step + ahead) / m, judged = step + ahead - from * m; // for the end of the step
      if (step % m === 0) skill[step / m] = values[2 * i + 1];
      if (Number.isInteger(point) && point < length) estimate[point] = values[2 * i];
      if (fine && judged >= 0 && judged < fine.length) fine[judged] = values[2 * i];
    }
  });
  return { received: yield* receivedIn(modules, request), estimate, skill, fine };
}

/* Steps of the same as far as it is judged, NaN elsewhere: soon there, however long the samples are. `drawn` are the
   estimates at the macro steps of the span. */
export function* glimpse(modules, request, [from], drawn) {
  const { length } = request.samples, nothing = () => new Float64Array(length).fill(NaN), estimate = nothing();
  estimate.set(drawn, from);
  return { received: yield* receivedIn(modules, request), estimate, skill: nothing() };
}

/* Steps of the value that came last at each macro point, NaN before the first. */
function* receivedIn(modules, request) {
  const { samples } = request, { length } = samples, { latest } = yield* way(modules.network, request, length);
  const received = new Float64Array(length);
  for (let n = 0; n < length; n++) received[n] = latest[n] < 0 ? NaN : samples[latest[n]];
  return received;
}

/* Whether a run of all samples passes the span as a trial does: else it is judged by one that begins later. */
export const isShort = ([from]) => from <= BEFORE;

/* The samples played `factor` times as fast, by cubics, and where the span then lies: as couplant.design.judged.play.
   Only the first of them and those are there that a trial of the span takes. */
export function play(samples, [first, last], factor) {
  const end = samples.length - 1, size = Math.trunc(end / factor) + 1;
  const padded = (i) => {
    if (i < 0) return 2 * samples[0] - samples[1];
    return i > end ? 2 * samples[end] - samples[end - 1] : samples[i];
  };
  const begin = Math.min(Math.trunc(first / factor), size - 1);
  const stop = Math.max(begin + 1, Math.min(size, begin + LONGEST_SHIFTED, Math.trunc(last / factor)));
  const played = new Float64Array(stop).fill(samples[0], 0, 1);
  for (let n = Math.max(0, begin - BEFORE - EARLIER); n < stop; n++) {
    const at = factor * n, place = Math.min(Math.trunc(at), end - 1), x = at - place;
    const before = padded(place - 1), here = samples[place], there = samples[place + 1], after = padded(place + 2);
    const slope = 0.5 * (there - before), over = 0.5 * (after - here), rise = there - here;
    played[n] = here + x * (slope + x * ((3 * rise - 2 * slope - over) + x * (slope + over - 2 * rise)));
  }
  return { samples: played, span: [begin, stop] };
}

/* Steps of the errors of `requests`, by name, and of the wire, on the signal played `factor` times as fast. */
export function* scene(modules, requests, { samples, ...asked }, span, factor) {
  const m = stepsIn(asked), other = play(samples, span, factor), true_ = truth(other.samples, other.span, m);
  const network = yield* way(modules.network, asked, other.span[1]);
  const rows = [{ algorithm: WIRE, ...errors(true_, wire(other.samples, other.span, m, network)) }];
  for (const [algorithm, request] of requests) {
    const estimate = yield* trial(modules, { ...request, samples: other.samples }, other.span);
    rows.push({ algorithm, ...errors(true_, estimate) });
  }
  return rows;
}
