// Runs of the page: a recording through network and coupling, and two masses that are coupled through them.
//
// `received` and `estimate` at a macro point are what the result of `couplant simulate` has there: the newest value
// that came out of the network, NaN before the first, and the estimate that is valid at this point, in step timing
// made in the step before, in event timing at the point itself. `sent` is the signal at that point. `outputs` are
// further outputs of the coupling at the point; those of its quality in step timing tell what the step that begins
// there did.
//
// A request may have `settings`, the text of `settings.txt` of its coupling FMUs, by signal where they differ; without
// it those of the data count. Its `microSteps` are communication steps in a macro step, else those of the data. Its
// `parameters` are set before the start: `component.variable` of a component, any other name of all coupling FMUs. With
// `only`, names of outputs and of what is returned, all else is not recorded: a column of two million macro points
// takes 16 MB.
import { Clock, FmuComponent, Recording } from "./components.js";
import { macroPoints, run } from "./master.js";
import { firstValues, solve } from "./reference.js";
import { signalSeed } from "./seeds.js";

const SLACK = 1e-6; // share of a macro step that a duration may lack

const points = { macroStep: NaN, times: new Float64Array() }; // of the recording before
const solved = new WeakMap(); // the last undelayed solution by plan, and what it was made of

export async function compileModules(bytesByName) {
  const names = Object.keys(bytesByName);
  const modules = await Promise.all(names.map((name) => WebAssembly.compile(bytesByName[name])));
  return Object.fromEntries(names.map((name, i) => [name, modules[i]]));
}

// plan and settings by timing, algorithm and which knobs are above 0
function caseOf(system, request) {
  const { timing, algorithm, k, jitter = 0, loss = 0, data, settings } = request;
  const known = system.cases[timing]?.[algorithm]?.[[k, jitter, loss].map((knob) => Number(knob > 0)).join("")];
  if (known === undefined) {
    throw new Error(`There is no algorithm ${algorithm} in ${timing} timing here.`);
  }
  const plan = data.plans[known[0]];
  const texts = known.slice(1).map((place) => data.settings[place].map((line) => `${data.lines[line]}\n`).join(""));
  const text = (signal, i) => (typeof settings === "string" ? settings : settings?.[signal]) ?? texts[i];
  const couplings = plan.components.filter((row) => row.coupling);
  const chosen = Object.fromEntries(couplings.map(({ signal }, i) => [signal, text(signal, i)]));
  const missing = Object.keys(chosen).find((signal) => chosen[signal] === undefined);
  if (missing !== undefined) {
    throw new Error(`${missing}: the algorithm ${algorithm} needs settings with its weights.`);
  }
  return { plan, texts: chosen };
}

// of a parameter: a number, or knobs whose product it is
function valueOf(factors, signal, request, first) {
  if (!Array.isArray(factors)) {
    return factors;
  }
  const { k, macroStep, jitter = 0, loss = 0, seed = 1 } = request;
  const knobs = { k, macroStep, jitter, loss, seed: signalSeed(seed, signal), first: first[signal] ?? 0 };
  return factors.map((name) => knobs[name]).reduce((product, knob) => product * knob);
}

// parameters of the request that a component has, as pairs of name and value
function asked(request, row, plan) {
  const pairs = Object.entries(request.parameters ?? {});
  const isOf = ({ name }, key) => key.startsWith(`${name}.`);
  const own = pairs.filter(([key]) => isOf(row, key)).map(([key, value]) => [key.slice(row.name.length + 1), value]);
  const common = pairs.filter(([key]) => row.coupling && !plan.components.some((one) => isOf(one, key)));
  return [...common, ...own];
}

// settings of the coupling FMU of a recording and the parameters that the request sets, as pairs of name and value
export function couplingOf(request) {
  const { plan, texts } = caseOf(request.data.systems.recording, request);
  const row = plan.components.find(({ coupling }) => coupling);
  const known = Object.entries(row.parameters).map(([name, factors]) => [name, valueOf(factors, row.signal, request, {})]);
  return { text: texts[row.signal], parameters: [...known, ...asked(request, row, plan)] };
}

// settings of the network of a recording, null where there is none, and its parameters
export function networkOf(request) {
  const { plan } = caseOf(request.data.systems.recording, { ...request, algorithm: "zoh" });
  const row = plan.components.find(({ module }) => module === "network");
  const given = ([name, factors]) => [name, valueOf(factors, request.signal ?? row.signal, request, {})];
  return row ? { text: request.data.bare, parameters: Object.entries(row.parameters).map(given) } : null;
}

// fresh components of a plan; `texts` are the settings of coupling FMUs and `first` what senders begin with, by signal
function componentsOf(plan, request, texts = {}, first = {}) {
  return plan.components.map((row) => {
    if (row.kind !== "fmu") {
      return row.kind === "clock" ? new Clock() : new Recording(request.times, request.samples);
    }
    const known = Object.entries(row.parameters).map(([name, factors]) => [
      name, valueOf(factors, row.signal, request, first),
    ]);
    const settings = row.coupling ? texts[row.signal] : request.data.bare;
    return new FmuComponent(row.name, request.modules[row.module], settings, [...known, ...asked(request, row, plan)]);
  });
}

export function equal(some, others) {
  return some.length === others.length && some.every((value, i) => Object.is(value, others[i]));
}

// The undelayed solution, that of the request before where nothing has changed that it depends on: it is kept, and not
// to be changed or handed over to another thread.
function* reference(system, request, count) {
  const plan = request.data.plans[system.direct];
  const { macroStep, samples = [], times = [] } = request;
  const own = Object.entries(request.parameters ?? {}).filter(([key]) =>
    plan.components.some(({ name }) => key.startsWith(`${name}.`)));
  const key = JSON.stringify([macroStep, count, own]);
  const last = solved.get(plan);
  if (last !== undefined && last.key === key && equal(last.samples, samples) && equal(last.times, times)) {
    return last.values;
  }
  const values = yield* solve(plan, () => componentsOf(plan, request), macroStep, count);
  solved.set(plan, { key, values, samples: samples.slice(), times: times.slice() });
  return values;
}

function* both(system, request, count) {
  const { plan, texts } = caseOf(system, request);
  const direct = request.data.plans[system.direct];
  const first = firstValues(direct, componentsOf(direct, request));
  const wants = (name) => request.only === undefined || request.only.includes(name);
  const components = componentsOf(plan, request, texts, first), { macroStep, microSteps } = request;
  const done = yield* run(plan, components, macroStep, count, wants, microSteps);
  return wants("reference") ? { ...done, reference: yield* reference(system, request, count) } : done;
}

// The times of a recording, those of the run before where they are the same: not to be handed over either.
function timesOf({ macroStep, samples }) {
  if (points.macroStep !== macroStep || points.times.length !== samples.length) {
    Object.assign(points, { macroStep, times: macroPoints(macroStep, samples.length - 1) });
  }
  return points.times;
}

// Steps of a run of a recording: yields now and then, so that a worker may look for a newer request.
export function* recordingSteps(given) {
  const times = given.times ?? timesOf(given);
  const request = { ...given, times };
  const count = Math.trunc((given.duration ?? times[times.length - 1]) / given.macroStep + SLACK);
  const { signals, ended, said, reference: undelayed } = yield* both(given.data.systems.recording, request, count);
  const [[name, shown]] = Object.entries(signals);
  const time = given.times || count < times.length - 1 ? macroPoints(given.macroStep, count) : times;
  return { time, ...shown, skill: shown.outputs["quality.skill"], reference: undelayed?.[name], ended, said };
}

// Steps of a run of the two masses, likewise.
export function* systemSteps(request) {
  const count = Math.trunc(request.duration / request.macroStep + SLACK);
  const { signals, ended, said, reference: undelayed } = yield* both(request.data.systems.masses, request, count);
  return { time: macroPoints(request.macroStep, count), signals, reference: undelayed, diverged: ended, said };
}

// what the steps return, null once `stop` tells to
function finished(steps, stop = () => false) {
  for (let now = steps.next(); ; now = steps.next()) {
    if (now.done) {
      return now.value;
    }
    if (stop()) {
      steps.return();
      return null;
    }
  }
}

// Samples on the macro points, or at `times` of their own from 0 on [s], through network and coupling, for a `duration`
// or to their end. `time` and all that is returned are at macro points; `ended` is the number of points of a run that
// diverged, else null.
export function runRecording(request) {
  return finished(recordingSteps(request), request.stop);
}

// Two masses for a `duration` [s]; `diverged` is the number of macro points of a run that did, else null.
export function runSystem(request) {
  return finished(systemSteps(request), request.stop);
}
