/* The rules of what is left open, from a band, a recording or both to weights, like couplant.design.request. */

import { rms } from "../analysis/sums.js";
import { decay, designFor, openLoopError } from "./from_recording.js";
import { linspace, response } from "./linear.js";
import { chooseTaps, design, saturatedTaps } from "./optimal.js";
import { DEFAULT_LEAD, DEFAULT_SLOPE, DesignTask } from "./task.js";

const FAR_BETTER = 0.25;
const BAND_POINTS = 200;

/* The design for what is asked: macroStep [s], k [macro steps], timing, a band [low, high] [rad/s] or null, a recording
   (from_recording.js) or null, `settings` of DesignTask that are given, and `known`, weights { a, A } at k of the
   algorithms that are functions of past values alone, which a band without a recording needs. */
export function designAsked({ macroStep, k, timing, band, recording = null, settings = {}, known }) {
  if (!band) {
    const one = designFor(recording, k, timing);
    return Object.keys(settings).length ? design(one.task.changed(settings)) : one;
  }
  let task = new DesignTask({ macroStep, k, band, timing, ...settings });
  if (recording && settings.slope === undefined) {
    task = task.changed({ slope: Math.min(decay(recording, band[1]) ?? DEFAULT_SLOPE, 2 * DEFAULT_SLOPE) });
  }
  if (timing === "step" && settings.lead === undefined) task = task.changed({ lead: DEFAULT_LEAD });
  if (settings.m !== undefined) return design(task);
  if (recording) return chooseTaps(task, (one) => openLoopError(recording.value, one));
  return saturatedTaps(task, FAR_BETTER * Math.min(...known.map((one) => bandError(one, task))));
}

/* The rms error of weights over the band of a task and all ends that its timing gives out. */
function bandError({ a, A }, { band, macroStep, timing, k }) {
  const ends = timing === "event" ? [0, 1] : [1], errors = [];
  for (const omega of linspace(band[0], band[1], BAND_POINTS)) {
    for (const end of ends) {
      const turn = omega * macroStep, [real, imaginary] = response(a.map((weight, l) => weight + end * A[l]), turn);
      const ahead = turn * (k + end);
      errors.push(Math.hypot(real - Math.cos(ahead), imaginary - Math.sin(ahead)));
    }
  }
  return rms(errors);
}
