// FMUs that are modules of WebAssembly (fmu_src/flat/flat.c): every value is a double.

const REFUSED = 2; // status of FMI 3 from which on a call has failed
const MOST_SAID = 200; // messages of a run that are kept

// Some variables of an FMU, read and set with one call; their values pass through its memory.
class Group {
  constructor(fmu, names) {
    this.fmu = fmu;
    this.names = names;
    this.references = fmu.place(names.map((name) => fmu.reference(name)));
    this.at = fmu.calloc(Math.max(names.length, 1), 8);
    this.view = new Float64Array(0);
  }

  // values in the memory of the module; it lies elsewhere once the module has asked for more
  doubles() {
    if (this.view.length === 0) {
      this.view = new Float64Array(this.fmu.exports.memory.buffer, this.at, this.names.length);
    }
    return this.view;
  }

  // into `values` at the places `slots`
  read(values, slots) {
    const { fmu } = this;
    if (fmu.exports.couplant_read(fmu.self, this.references, slots.length, this.at) >= REFUSED) {
      fmu.refuse(`does not give ${this.names.join(", ")}`);
    }
    const found = this.doubles();
    for (let i = 0; i < slots.length; i++) {
      values[slots[i]] = found[i];
    }
  }

  write(values, slots) {
    const { fmu } = this;
    const given = this.doubles();
    for (let i = 0; i < slots.length; i++) {
      given[i] = values[slots[i]];
    }
    if (fmu.exports.couplant_write(fmu.self, this.references, slots.length, this.at) >= REFUSED) {
      fmu.refuse(`refuses ${this.names.join(", ")} = ${given.join(", ")}`);
    }
  }
}

// Communication steps with one call: rows of inputs go in, rows of outputs come out.
class Loop {
  constructor(fmu, inputs, outputs, most) {
    this.fmu = fmu;
    [this.n, this.m] = [inputs.length, outputs.length];
    const columns = (names) => {
      const values = fmu.calloc(most * names.length, 8);
      return { values, at: fmu.place([fmu.place(names.map((name) => fmu.reference(name))), names.length, values]) };
    };
    Object.assign(this, { times: fmu.calloc(most, 8), given: columns(inputs), found: columns(outputs) });
    this.done = fmu.calloc(1, 4);
  }

  // n steps by h [s]: `fill` writes communication points and rows of inputs into two arrays; a copy of all outputs
  run(n, h, fill, readBefore) {
    const { fmu } = this, { memory } = fmu.exports, of = (at, size) => new Float64Array(memory.buffer, at, size);
    fill(of(this.times, n), of(this.given.values, n * this.n));
    const places = [this.given.at, this.found.at, Number(readBefore), this.done];
    fmu.check(fmu.exports.couplant_run(fmu.self, this.times, h, n, ...places), "refused a step");
    return of(this.found.values, n * this.m).slice();
  }
}

// One instance of an FMU: open, set parameters, begin, then set, step, get; free in the end.
export class Fmu {
  constructor(module, name = "FMU") {
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.name = name;
    this.self = 0;
    this.state = 0;
    this.said = []; // messages so far
    this.known = new Map(); // references by name
  }

  // The settings are the text of `settings.txt`; the token is that in them unless another one is given.
  open(settings, token = /^token (.*)$/m.exec(settings)?.[1] ?? "") {
    this.self = this.given(token, (a) => this.given(settings, (b) => this.exports.couplant_open(a, b)));
    if (this.self === 0) {
      this.refuse("cannot be loaded");
    }
    return this;
  }

  reference(name) {
    if (!this.known.has(name)) {
      this.known.set(name, this.given(name, (at) => this.exports.couplant_reference(this.self, at)));
    }
    const found = this.known.get(name);
    if (found === 0) {
      throw new Error(`${this.name} has no variable ${name}.`);
    }
    return found;
  }

  set(name, value) {
    if (this.exports.couplant_set(this.self, this.reference(name), value) >= REFUSED) {
      this.refuse(`${name} = ${value} is refused`);
    }
  }

  get(name) {
    return this.exports.couplant_get(this.self, this.reference(name));
  }

  group(names) {
    return new Group(this, names);
  }

  // what runs up to `most` communication steps with one call
  loop(inputs, outputs, most) {
    return new Loop(this, inputs, outputs, most);
  }

  // to Initialization Mode at t0 [s]: inputs may be set then and outputs read
  enter(t0) {
    this.check(this.exports.fmi3EnterInitializationMode(this.self, 0, 0, t0, 0, 0), "refuses to start");
  }

  begin() {
    this.check(this.exports.fmi3ExitInitializationMode(this.self), "refuses to start");
  }

  // from t on by h [s]
  step(t, h) {
    const status = this.exports.couplant_step(this.self, t, h);
    if (status !== 0) {
      this.check(status, `${status === REFUSED ? "ended the run" : "refused the step"} at t = ${t} s`);
    }
  }

  // keeps the present state in place of the one kept before
  save() {
    this.state ||= this.calloc(1, 8);
    this.check(this.exports.fmi3GetFMUState(this.self, this.state), "does not save its state");
  }

  restore() {
    const [state] = new Uint32Array(this.exports.memory.buffer, this.state, 1);
    this.check(this.exports.fmi3SetFMUState(this.self, state), "does not restore its state");
  }

  free() {
    if (this.self !== 0) {
      this.exports.fmi3FreeInstance(this.self);
    }
    this.self = 0;
  }

  // lines `category: sentence` since the last call
  log() {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    const at = this.exports.couplant_log();
    return new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)));
  }

  check(status, what) {
    if (status >= REFUSED) {
      this.refuse(what);
    }
    if (status === 1 && this.said.length < MOST_SAID) {
      this.said.push(...this.log().split("\n").filter(Boolean));
    }
  }

  // what the FMU says last is the reason
  refuse(what) {
    const reason = this.log().trim().split("\n").pop().replace(/^\w+: /, "");
    throw new Error(`${this.name} ${what}${reason ? `: ${reason}` : ""}`.replace(/\.?$/, "."));
  }

  calloc(n, size) {
    const at = this.exports.calloc(n, size);
    if (at === 0) {
      throw new Error(`${this.name}: out of memory.`);
    }
    return at;
  }

  // numbers of 32 bits in the memory of the module
  place(numbers) {
    const at = this.calloc(Math.max(numbers.length, 1), 4);
    new Uint32Array(this.exports.memory.buffer, at, numbers.length).set(numbers);
    return at;
  }

  // a text in the memory of the module, while `use` runs
  given(text, use) {
    const bytes = new TextEncoder().encode(text);
    const at = this.calloc(bytes.length + 1, 1);
    new Uint8Array(this.exports.memory.buffer).set(bytes, at);
    const answer = use(at);
    this.exports.free(at);
    return answer;
  }
}
