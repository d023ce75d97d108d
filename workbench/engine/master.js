// The co-simulation master for a plan that Python made (workbench.build.plans): start, exchange, step, record.

const DIVERGED = 1e100; // size of a signal at which an unstable run is ended [signal unit]
const PAUSE = 256; // macro steps between two chances to stop

class Read {
  constructor(component, row) {
    this.group = component.group(row.names);
    this.slots = row.slots;
  }

  run(values) {
    this.group.read(values, this.slots);
  }
}

class Write {
  constructor(component, row) {
    this.group = component.group(row.names);
    this.slots = row.slots;
  }

  run(values) {
    this.group.write(values, this.slots);
  }
}

// Steps a component in the exchange: its receivers get the slope over the coming step besides the value.
class EarlyStep {
  constructor(component, row) {
    this.component = component;
    this.group = component.group(row.names);
    this.row = row;
    this.after = new Float64Array(row.names.length);
    this.places = row.names.map((_, i) => i);
  }

  run(values, t, h) {
    if (h === 0) {
      return;
    }
    const { before, slopes, part } = this.row;
    const first = part * h;
    this.component.step(t, first);
    this.group.read(this.after, this.places);
    for (let i = 0; i < slopes.length; i++) {
      values[slopes[i]] = (this.after[i] - values[before[i]]) / first;
    }
    this.component.step(t + first, h - first);
  }
}

function made(components, row) {
  const [[Kind, place]] = [[Read, row.read], [Write, row.write], [EarlyStep, row.early]]
    .filter(([, at]) => at !== undefined);
  return new Kind(components[place], row);
}

// Started components and the exchange between them.
export class Exchange {
  constructor(plan, components, t0) {
    this.components = components;
    this.values = new Float64Array(plan.slots);
    components.forEach((one) => one.start(t0));
    this.actions = plan.actions.map((row) => made(components, row));
    this.stepping = plan.stepping.map((place) => components[place]);
    this.run(t0, 0);
    components.forEach((one) => one.begin());
  }

  // at time t before a step h [s]; early components step, with h = 0 nothing does
  run(t, h) {
    for (let i = 0; i < this.actions.length; i++) {
      this.actions[i].run(this.values, t, h);
    }
  }

  step(t, h) {
    for (let i = 0; i < this.stepping.length; i++) {
      this.stepping[i].step(t, h);
    }
  }

  free() {
    this.components.forEach((one) => one.free());
  }
}

// An array for each slot that is shown and that somebody `wants` by name, NaN from where a run ended.
class Recorder {
  constructor(plan, exchange, count, wants) {
    this.values = exchange.values;
    this.diverging = plan.diverging;
    const slots = Object.values(plan.signals).flatMap((one) => {
      const { sent, received, valid, estimate } = one;
      const named = { sent, received: received ?? sent, estimate, ...one.outputs };
      const own = Object.entries(named).filter(([name]) => wants(name)).map(([, slot]) => slot);
      return wants("received") ? [...own, valid] : own;
    });
    this.slots = [...new Set(slots.filter((slot) => slot !== null))];
    this.columns = this.slots.map(() => new Float64Array(count + 1).fill(NaN));
    const logged = plan.logged.map((row) => ({ ...row, names: row.names.filter(wants) }));
    this.logs = logged.map((row) => ({
      row,
      group: exchange.components[row.component].group(row.names),
      places: row.names.map((_, i) => i),
      read: new Float64Array(row.names.length),
      columns: row.names.map(() => new Float64Array(count + 1).fill(NaN)),
    }));
  }

  point(n) {
    for (let i = 0; i < this.slots.length; i++) {
      this.columns[i][n] = this.values[this.slots[i]];
    }
  }

  // what the step that began at macro point n did
  step(n) {
    for (const log of this.logs) {
      log.group.read(log.read, log.places);
      for (let i = 0; i < log.places.length; i++) {
        log.columns[i][n] = log.read[i];
      }
    }
  }

  diverged() {
    for (let i = 0; i < this.diverging.length; i++) {
      if (!(Math.abs(this.values[this.diverging[i]]) <= DIVERGED)) {
        return true;
      }
    }
    return false;
  }

  column(slot) {
    return this.columns[this.slots.indexOf(slot)];
  }

  // sent, received, estimate and further outputs of a signal; what nobody wants is undefined, or no output
  signal(plan, name) {
    const { sent, received, valid, estimate, outputs } = plan.signals[name];
    const told = Object.entries(outputs).map(([key, slot]) => [key, this.column(slot)]).filter(([, column]) => column);
    const logged = this.logs.filter((log) => log.row.signal === name)
      .flatMap((log) => log.row.names.map((key, i) => [key, log.columns[i]]));
    return {
      sent: this.column(sent),
      received: received === null ? this.column(sent) : since(this.column(received), this.column(valid)),
      estimate: this.column(estimate),
      outputs: Object.fromEntries([...told, ...logged]),
    };
  }
}

// a column, NaN before the first value that is valid
function since(column, valid) {
  const first = valid?.findIndex((one) => one > 0);
  return column?.fill(NaN, 0, first < 0 ? column.length : first);
}

// Runs `count` macro steps [s] from 0 on. Yields the macro step now and then, so that who asks may stop; returns what
// each signal shows of what is wanted, `ended`: the number of macro points of a run that diverged, else null, and what
// FMUs `said`. Of a macro step there are `microSteps`.
export function* run(plan, components, macroStep, count, wants, microSteps = plan.microSteps) {
  const exchange = new Exchange(plan, components, 0);
  const recorder = new Recorder(plan, exchange, count, wants);
  const h = macroStep / microSteps;
  let ended = null;
  try {
    for (let n = 0; n < count && ended === null; n++) {
      for (let i = 0; i < microSteps && ended === null; i++) {
        const t = n * macroStep + i * h;
        exchange.run(t, h);
        if (i === 0) {
          recorder.point(n);
        }
        exchange.step(t, h);
        if (i === 0) {
          recorder.step(n);
        }
        ended = recorder.diverged() ? n + 1 : null;
      }
      if (n % PAUSE === PAUSE - 1) {
        yield n + 1;
      }
    }
    if (ended === null) {
      exchange.run(count * macroStep, 0);
      recorder.point(count);
    }
  } finally {
    exchange.free();
  }
  const signals = Object.fromEntries(Object.keys(plan.signals).map((name) => [name, recorder.signal(plan, name)]));
  return { signals, ended, said: components.flatMap((one) => one.fmu?.said ?? []) };
}

export function macroPoints(macroStep, count) {
  const points = new Float64Array(count + 1);
  for (let n = 0; n <= count; n++) {
    points[n] = macroStep * n;
  }
  return points;
}
