/* What weights are designed for, like couplant.design.task; angular frequencies in rad/s. */

import { total } from "../analysis/sums.js";
import { linspace } from "./linear.js";

export const DEFAULT_SLOPE = 2;
export const DEFAULT_LEAD = 0.25;
const MOST_STEPS = 64;
const DEFAULTS = {
  timing: "event", m: 7, degree: 2, peak: 4, slope: DEFAULT_SLOPE, gainBand: null, gainLimit: 1, lead: 0,
  spectrum: null, noise: 0, shared: null,
};

/* macroStep [s], k [macro steps], band [low, high] and what else is given: timing (event, step), m past values, exact
   on polynomials up to degree; gain at most max(1, peak (ω/ω_g)^(slope/2)) above the band, at most gainLimit up to
   gainBand; lead [macro steps] in step timing; spectrum { omega, power } as weights of the error; noise over signal.
   Tasks of the same spectrum may have one Map, `shared`, for what their predictors have alike. */
export class DesignTask {
  constructor(settings) {
    Object.assign(this, DEFAULTS, settings);
    this.check();
    Object.freeze(this);
  }

  /* The same with other settings. */
  changed(settings) {
    return new DesignTask({ ...this, ...settings });
  }

  check() {
    const { macroStep, k, band: [low, high], timing, gainBand, lead } = this;
    allow(["event", "step"].includes(timing), `timing = ${timing}, allowed event, step`);
    allow(macroStep > 0, `macro_step = ${macroStep}, allowed above 0 s`);
    allow(k >= 0 && k <= MOST_STEPS, `latency in macro steps = ${k}, allowed 0 to ${MOST_STEPS}`);
    const nyquist = Math.PI / macroStep, inside = `inside 0 to ${Number(nyquist.toPrecision(6))} (Nyquist)`;
    allow(low >= 0 && low < high && high < nyquist,
      `band = ${low} to ${high} rad/s, allowed low below high, ${inside}`);
    allow(this.peak >= 1, `peak = ${this.peak}, allowed at least 1`);
    allow(this.slope >= 0, `slope = ${this.slope}, allowed at least 0`);
    allow(this.gainLimit >= 1, `gain_limit = ${this.gainLimit}, allowed at least 1`);
    allow(this.noise >= 0 && this.noise < Infinity, `noise = ${this.noise}, allowed at least 0`);
    allow(lead >= 0 && lead <= 1, `lead = ${lead}, allowed 0 to 1.0 macro steps`);
    allow(lead === 0 || timing === "step", "lead is for step timing, allowed 0 in event timing");
    allow(gainBand === null || (gainBand >= high && gainBand <= nyquist),
      `gain_band = ${gainBand} rad/s, allowed ${high} to ${Number(nyquist.toPrecision(6))}`);
  }

  /* Horizons to predict, macro steps: both ends of the macro step, or the one that step timing gives out. */
  get horizons() {
    return this.timing === "event" ? [this.k, this.k + 1] : [this.k + 1 + this.lead];
  }

  /* Largest gain allowed at a frequency above the band. */
  bound(omega) {
    if (this.gainBand !== null && omega <= this.gainBand) return this.gainLimit;
    return Math.max(1, this.peak * (omega / (this.gainBand ?? this.band[1])) ** (this.slope / 2));
  }

  /* The problem of its predictors, on grids fine enough for m values. */
  predictorProblem() {
    const { macroStep, m, degree, noise } = this, [low, high] = this.band, { omega, weight } = this.weights(low, high);
    let above = linspace(high, Math.PI / macroStep, Math.max(160, 8 * m) + 1).subarray(1);
    if (this.gainBand !== null) above = Float64Array.from(new Set([...above, this.gainBand])).sort();
    const perStep = (values) => Float64Array.from(values, (one) => one * macroStep);
    const bound = above.map((one) => this.bound(one));
    const key = JSON.stringify([macroStep, low, high, this.gainBand, this.spectrum === null, m, degree, noise]);
    const bounded = JSON.stringify([this.peak, this.slope, this.gainLimit]), shared = this.shared ?? new Map();
    return { band: perStep(omega), weight, boundAt: perStep(above), bound, m, degree, noise, shared, key, bounded };
  }

  weights(low, high) {
    if (this.spectrum === null) {
      const omega = linspace(low, high, Math.max(80, 4 * this.m));
      return { omega, weight: new Float64Array(omega.length).fill(1 / omega.length) };
    }
    const { omega, power } = this.spectrum, all = total(power);
    allow(all > 0 && all < Infinity, "the spectrum of the recording has no power: a constant signal");
    return { omega, weight: Float64Array.from(power, (one) => one / all) };
  }
}

function allow(right, message) {
  if (!right) throw new RangeError(message);
}
