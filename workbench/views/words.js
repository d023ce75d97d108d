/* What two coupled runs say, in a sentence: the one with an algorithm, and the one that does nothing. */

import { number } from "../chart/numbers.js";

const NEAR = 0.1;

/* Runs are { label, figures: { verdict, share } }; `share` is the rms error over the rms of the signal. */
export function headline(own, nothing, k) {
  if (own.algorithm === nothing.algorithm) return sentence(`${alone(own)}${k ? "" : ": there is no latency"}`);
  const grows = [own, nothing].map((one) => one.figures.verdict === "unstable");
  if (grows[0] && grows[1]) {
    return `${nothing.label} and ${own.label} both grow without bound: at k = ${k} this coupling needs more than that.`;
  }
  if (grows[0]) return `${own.label} grows without bound, although ${nothing.label}, which does nothing, does not.`;
  if (grows[1]) return `${nothing.label} grows without bound; ${alone(own)}.`;
  return `${compared(own, nothing)}.${slow(own) || slow(nothing)}`;
}

function sentence(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/* How a run does that does not grow for certain, or that grows. */
function alone({ label, figures }) {
  if (figures.verdict === "unstable") return `${label} grows without bound`;
  const words = figures.share <= NEAR ? "follows the undelayed run with" : "does not follow the undelayed run, it has";
  const more = figures.verdict === "borderline" ? ", and grows slowly" : "";
  return `${label} ${words} ${percent(figures.share)} error${more}`;
}

function compared(own, nothing) {
  const [less, more] = [own.figures.share, nothing.figures.share];
  if (less === more) return `${own.label} and ${nothing.label} have the same error, ${percent(less)}`;
  if (less > more) {
    return `${own.label} is worse than doing nothing: ${percent(less)} error, ${nothing.label} ${percent(more)}`;
  }
  const factor = more / less;
  const times = factor >= 2 ? `${factor >= 10 ? factor.toFixed(0) : number(factor, 2)} times as much` : percent(more);
  return `${alone({ label: own.label, figures: { ...own.figures, verdict: "" } })}; ${nothing.label} has ${times}`;
}

function slow({ label, figures }) {
  return figures.verdict === "borderline" ? ` ${label} grows slowly: only a longer run can tell.` : "";
}

export function percent(share) {
  return `${number(100 * share, 2)} %`;
}
