// What a run consists of besides FMUs, and FMUs behind the same life cycle: start, begin, step .. step, free.
import { Fmu } from "./fmu.js";

const ROUNDING = 1e-9; // share of the distance of two samples by which a time may miss one: sums of steps round

// an FMU as a component; parameters are pairs of name and value
export class FmuComponent {
  constructor(name, module, settings, parameters) {
    this.fmu = new Fmu(module, name);
    this.settings = settings;
    this.parameters = parameters;
  }

  start(t0) {
    this.fmu.open(this.settings);
    for (const [name, value] of this.parameters) {
      this.fmu.set(name, value);
    }
    this.fmu.enter(t0);
  }

  begin() {
    this.fmu.begin();
  }

  step(t, h) {
    this.fmu.step(t, h);
  }

  group(names) {
    return this.fmu.group(names);
  }

  save() {
    this.fmu.save();
  }

  restore() {
    this.fmu.restore();
  }

  free() {
    this.fmu.free();
  }
}

// gives the time: the send stamp of a signal that passes no network
export class Clock {
  start(t0) {
    this.time = t0;
  }

  begin() {}

  step(t, h) {
    this.time = t + h;
  }

  group() {
    return { read: (values, slots) => slots.forEach((slot) => { values[slot] = this.time; }) };
  }

  save() {
    this.kept = this.time;
  }

  restore() {
    this.time = this.kept;
  }

  free() {}
}

// Samples at times from 0 on [s], linear between them, with the roundings of couplant.cosim.fmu.component and numpy.interp.
export class Recording {
  constructor(times, samples) {
    this.times = times;
    this.samples = samples;
  }

  start(t0) {
    this.t0 = t0;
    this.time = 0;
    this.at = 0; // of the last sample that is not later
  }

  begin() {}

  step(t, h) {
    this.time = t + h - this.t0;
  }

  group() {
    return { read: (values, slots) => { values[slots[0]] = this.value(); } };
  }

  value() {
    const { times, samples, time } = this;
    const last = times.length - 1;
    if (!(time > times[0])) {
      return samples[0];
    }
    this.at = times[this.at] <= time ? this.at : 0;
    while (this.at < last && times[this.at + 1] <= time) {
      this.at++;
    }
    const i = this.at;
    if (i === last || times[i] === time) {
      return samples[i];
    }
    const least = ROUNDING * (times[i + 1] - times[i]);
    if (times[i + 1] - time <= least) {
      return samples[i + 1];
    }
    if (time - times[i] <= least) {
      return samples[i];
    }
    return ((samples[i + 1] - samples[i]) / (times[i + 1] - times[i])) * (time - times[i]) + samples[i];
  }

  save() {
    this.kept = this.time;
  }

  restore() {
    this.time = this.kept;
  }

  free() {}
}
