/* Optimal weights: predictors for the ends of the macro step, like couplant.design.optimal. */

import { designPredictor, noiseGain, peakGain } from "./predictor.js";

const MOST_TAPS = 16;
const WORTH = 0.9;
const KEPT = 0.01;
const AHEAD = 3;
const STALLED = 0.85;
const WHOLE = 1e-6;

/* A task with its predictors, one for each of its horizons. */
export class Design {
  constructor(task, predictors) {
    this.task = task;
    this.predictors = predictors;
  }

  /* Weights of the level, newest value first: those of the earlier end. */
  get a() {
    return Array.from(this.predictors[0].h);
  }

  /* Weights of the slope: the later end less the earlier one; in step timing 0. */
  get A() {
    const first = this.predictors[0].h, { h } = this.predictors[this.predictors.length - 1];
    return Array.from(h, (weight, l) => weight - first[l]);
  }

  /* Steps of the weight table in the FMU: with a lead it counts from one step further on. */
  get fmuSteps() {
    return this.task.k + Math.max(0, Math.ceil(this.task.lead - WHOLE));
  }

  /* Root mean square error over the band and both ends, relative to the rms of the signal. */
  get rmsError() {
    const { predictors } = this;
    return Math.sqrt(predictors.reduce((sum, one) => sum + one.objective, 0) / predictors.length);
  }

  /* Largest |P|/b - 1 above the band; above 0.002 the bound cannot be met. */
  get violation() {
    return Math.max(...this.predictors.map((one) => one.violation));
  }

  /* The design as `couplant design --json` tells it. */
  written() {
    const { task, predictors } = this, { k, timing, m, degree, peak, slope, lead } = task;
    return {
      macro_step: task.macroStep, timing, steps: k, m, degree, peak, slope, lead,
      rms_error: this.rmsError, peak_gain: Math.max(...predictors.map((one) => peakGain(one.h))),
      noise_gain: Math.max(...predictors.map((one) => noiseGain(one.h))), violation: this.violation,
      a: this.a, A: this.A, offset: lead * task.macroStep, fmu_steps: this.fmuSteps,
    };
  }
}

/* The optimal linear algorithm of a task. */
export function design(task) {
  const problem = task.predictorProblem();
  return new Design(task, task.horizons.map((horizon) => designPredictor(problem, horizon)));
}

/* The design with the smallest m, up to 16, after which nothing improves: more values count if the error, by `judge`,
   falls by a tenth. Designs that break their bound count only if all do. */
export function chooseTaps(task, judge) {
  const tried = [];
  for (let m = task.degree + 2; m <= MOST_TAPS; m++) tried.push(design(task.changed({ m })));
  let kept = tried.filter((one) => one.violation <= KEPT);
  if (!kept.length) kept = [tried.reduce((best, one) => (one.violation < best.violation ? one : best))];
  const errors = kept.map(judge), target = Math.min(...errors) / WORTH;
  return kept[Math.max(errors.findIndex((error) => error <= target), 0)];
}

/* The design with the smallest m from which three more values improve its error by less than 15 %; an error below
   `floor` is good enough. */
export function saturatedTaps(task, floor) {
  const tried = [];
  for (let m = task.degree + 2; m <= MOST_TAPS; m++) {
    const last = design(task.changed({ m })), before = tried[tried.length - AHEAD];
    if (before && (before.rmsError <= floor || last.rmsError > STALLED * before.rmsError)) return before;
    tried.push(last);
  }
  return tried[tried.length - 1];
}
