/* Limits of the estimate of a recorded signal, as couplant.analysis.signal.sampling. */

import { roundHalfEven } from "./sampling.js";

const MARGIN = 0.2;
const FASTER = 2;

/* Returns { min, max, rate_max } of the estimate of samples, without a rate where they never change. */
export function estimateLimits(samples, microStep) {
  let [low, high, most] = [samples[0], samples[0], 0];
  for (let i = 1; i < samples.length; i++) {
    [low, high] = [Math.min(low, samples[i]), Math.max(high, samples[i])];
    most = Math.max(most, Math.abs(samples[i] - samples[i - 1]));
  }
  const span = high - low || Math.max(1, Math.abs(high)), rate = (FASTER * most) / microStep;
  const ends = { min: toSpan(low - MARGIN * span, span), max: toSpan(high + MARGIN * span, span) };
  return rate ? { ...ends, rate_max: toSpan(rate, rate) } : ends;
}

/* A value to a thousandth of a span. */
function toSpan(value, span) {
  const digits = 3 - Math.floor(Math.log10(span)), scale = Number(`1e${Math.abs(digits)}`);
  return digits >= 0 ? roundHalfEven(value * scale) / scale : roundHalfEven(value / scale) * scale;
}
