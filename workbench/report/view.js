/* What of a simulation is shown, and which runs that are. */

import { shade } from "../chart/theme.js";
import { TIME, report, runsOf, spanOf } from "./data.js";

export const NAMES = report.names;
const row = document.querySelector(".run");
const first = row ? report.runs[Number(row.dataset.run)] : null;

export const view = {
  timing: first?.timing ?? "", focus: first, hidden: new Set(), curves: new Set(["reference", "late"]), all: false,
  span: spanOf(TIME),
};

export function colour(algorithm) {
  return shade(algorithm === "none" ? "none" : report.looks[algorithm].colour);
}

export function named(algorithm) {
  return report.looks[algorithm]?.label ?? algorithm;
}

export function isShown(run) {
  return !view.hidden.has(run.algorithm);
}

/* Runs in the order of drawing: the one in focus last, on top. */
export function shownRuns(signal) {
  const runs = runsOf(view.timing).filter((run) => isShown(run) && (!signal || run.traces[signal]));
  return runs.sort((a, b) => (a === view.focus) - (b === view.focus));
}

/* Where all runs of the timing are unstable, none can be clipped in favour of the others. */
export function ruins(run) {
  const all = shownRuns();
  return run.verdict === "unstable" && !report.open_loop && all.some((other) => other.verdict !== "unstable");
}

export function lineWidth(run) {
  return run === view.focus ? 2.2 : 1.4;
}

/* Traces of a signal in all runs of the timing, shown or not. */
export function tracesOf(signal) {
  return runsOf(view.timing).map((run) => run.traces[signal]).filter(Boolean);
}
