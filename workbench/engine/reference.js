// The undelayed reference, step for step as couplant.cosim.run.reference computes it: prototypes that are connected
// directly iterate on the slopes of their inputs; finer and finer micro steps are improved by Richardson's rule until
// they agree.
import { Exchange } from "./master.js";

const AGREEMENT = 1e-5; // mean difference of two improved solutions, relative to the rms, that is accepted
const MOST_MICRO_STEPS = 64;
const MOST_REPEATS = 10;
const SETTLED = 1e-9;
const PAUSE = 256; // macro steps between two chances to stop

// Micro steps of all components, with inputs that are linear in time and fit at both ends.
class Stepper {
  constructor(plan, exchange, h) {
    const count = plan.links.length;
    Object.assign(this, { plan, exchange, h });
    this.courses = plan.courses.map((row) => ({ ...row, group: exchange.components[row.component].group(row.names) }));
    this.given = this.courses.map((row) => new Float64Array(row.names.length));
    this.places = this.courses.map((row) => row.names.map((_, i) => i));
    [this.slopes, this.before, this.guess, this.start] = [0, 1, 2, 3].map(() => new Float64Array(count));
    this.largest = new Float64Array(count).fill(1e-300);
  }

  step(t) {
    const { plan, exchange, guess, slopes, before, start } = this;
    for (let i = 0; i < start.length; i++) {
      start[i] = exchange.values[plan.links[i]];
      guess[i] = 2 * slopes[i] - before[i];
      before[i] = slopes[i];
    }
    exchange.components.forEach((one) => one.save());
    for (let repeat = 0; repeat < MOST_REPEATS; repeat++) {
      if (repeat > 0) {
        exchange.components.forEach((one) => one.restore());
      }
      const change = this.attempt(t);
      guess.set(slopes);
      if (change <= SETTLED) {
        break;
      }
    }
  }

  // steps with the slopes guessed; returns how far the inputs at the end are from where they lead
  attempt(t) {
    const { plan, exchange, guess, slopes, start, largest, h } = this;
    this.courses.forEach((row, i) => this.set(row, this.given[i], this.places[i]));
    exchange.step(t, h);
    exchange.run(t + h, 0);
    let change = 0;
    for (let i = 0; i < start.length; i++) {
      const reached = exchange.values[plan.links[i]];
      slopes[i] = (reached - start[i]) / h;
      largest[i] = Math.max(largest[i], Math.abs(reached));
      change = Math.max(change, Math.abs(reached - start[i] - guess[i] * h) / largest[i]);
    }
    return change;
  }

  // slopes where a component takes them, else mean values over the step
  set(row, given, places) {
    const { guess, start, h } = this;
    row.sloped.forEach((place, i) => { given[i] = guess[place]; });
    row.plain.forEach((place, i) => { given[row.sloped.length + i] = start[place] + guess[place] * (h / 2); });
    row.group.write(given, places);
  }
}

// one run: the values of `slots` at the macro points
function* relaxed(plan, components, macroStep, count, microSteps) {
  const exchange = new Exchange(plan, components, 0);
  const slots = Object.values(plan.signals);
  const columns = slots.map(() => new Float64Array(count + 1));
  const keep = (n) => columns.forEach((column, i) => { column[n] = exchange.values[slots[i]]; });
  const h = macroStep / microSteps;
  try {
    const stepper = new Stepper(plan, exchange, h);
    keep(0);
    for (let n = 0; n < count; n++) {
      for (let i = 0; i < microSteps; i++) {
        stepper.step(n * macroStep + i * h);
      }
      keep(n + 1);
      if (n % PAUSE === PAUSE - 1) {
        yield n + 1;
      }
    }
  } finally {
    exchange.free();
  }
  return columns;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function relative(last, better) {
  const size = Math.sqrt(mean(better.map((value) => value * value)));
  return size > 0 ? mean(better.map((value, n) => Math.abs(value - last[n]))) / size : 0;
}

// Yields now and then, so that who asks may stop; `make` returns fresh components for every run. Returns the values
// that signals are judged against at the macro points, by name.
export function* solve(plan, make, macroStep, count) {
  let coarse = null;
  let better = null;
  let fine = null;
  let error = Infinity;
  for (let microSteps = 1; ; microSteps *= 2) {
    fine = yield* relaxed(plan, make(), macroStep, count, microSteps);
    if (coarse !== null) {
      const last = better;
      better = fine.map((column, i) => column.map((value, n) => value + (value - coarse[i][n]) / 3));
      error = last === null ? Infinity : Math.max(...better.map((column, i) => relative(last[i], column)));
    }
    if (error <= AGREEMENT || microSteps >= MOST_MICRO_STEPS) {
      break;
    }
    coarse = fine;
  }
  return Object.fromEntries(Object.keys(plan.signals).map((name, i) => [name, (better ?? fine)[i]]));
}

// what senders begin with, by signal
export function firstValues(plan, components) {
  const exchange = new Exchange(plan, components, 0);
  exchange.run(0, 0);
  const found = Object.entries(plan.first).map(([name, slot]) => [name, exchange.values[slot]]);
  exchange.free();
  return Object.fromEntries(found.filter(([, value]) => Number.isFinite(value)));
}
