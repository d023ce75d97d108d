/* How late a signal is: milliseconds are set, macro steps count. */

import { number } from "../chart/numbers.js";
import { latency_in_steps } from "../python/couplant.base.grid.js";

const UNKNOWN = 1e12; // ms, as long as no macro step tells how much is allowed

/* What may be set; `limits` tells the rest once the macro step is known. */
export const LATENCY = { label: "latency τ", unit: "ms", least: 0, most: UNKNOWN, step: 1, start: 0 };

/* What links have: macro steps, at most so many. */
export const inSteps = (start, most) => ({ least: 0, most, whole: true, start });

export const milliseconds = (seconds) => Number((1e3 * seconds).toPrecision(9));

/* The macro steps that a latency [ms] takes. */
export function stepsOf(latency, macroStep) {
  return Math.max(0, latency_in_steps(latency / (1e3 * macroStep)));
}

/* Limits and step of a latency [ms] that is at most so many macro steps [s]. */
export function limits(macroStep, most) {
  return { least: 0, most: milliseconds(most * macroStep), step: milliseconds(macroStep) };
}

/* Values whose latency is allowed, at most so many macro steps, with what it is in macro steps. */
export function late(values, most) {
  const latency = Math.min(values.latency, limits(values.macro_step, most).most);
  return { ...values, latency, k: stepsOf(latency, values.macro_step) };
}

/* "30 ms = 3 macro steps of 10 ms"; what is not whole takes the next one. */
export function inWords({ latency, k, macro_step: step }) {
  const whole = Math.abs(latency - milliseconds(k * step)) <= 1e-6 * milliseconds(step);
  const steps = `${k} macro ${k === 1 ? "step" : "steps"} of ${number(milliseconds(step), 6)} ms`;
  return `${number(latency, 6)} ms ${whole ? "=" : "take"} ${steps}`;
}

/* "communication step 1 ms: an FMU foresees 3.1 macro steps", where a tool makes `micro` communication steps in a macro step. */
export function microInWords({ k, micro, macro_step: step }) {
  const fine = number(milliseconds(step / micro), 6);
  return `communication step ${fine} ms: an FMU foresees ${number(k + 1 / micro)} macro steps`;
}
