/* The coupled system as the page shows it: run with an algorithm and with nothing, against the run without latency. */

import { systemSteps } from "../engine/run.js";
import { growth, verdict } from "./growth.js";
import { judge } from "./judge.js";
import { paced } from "./paced.js";
import { largest, rms } from "./sums.js";

const NOTHING = "zoh";
const WATCHED = "x1";

/* Yields a part for each run: { algorithm, time, reference, estimate, sent, force, pulled, figures }. */
export async function* systemRuns({ modules, data }, request, stop) {
  for (const algorithm of new Set([request.algorithm, NOTHING])) {
    const done = await paced(systemSteps({ modules, data, ...request, algorithm }), stop);
    if (done === null) return;
    yield summary(algorithm, done);
  }
}

/* `height` is the largest deflection without latency, `share` the rms error over the rms of the signal. */
function summary(algorithm, { time, signals, reference, diverged }) {
  const { sent, estimate } = signals[WATCHED], wanted = reference[WATCHED];
  const names = Object.keys(signals), all = (key) => names.map((name) => signals[name][key]);
  const undelayed = names.map((name) => reference[name]);
  const told = diverged ? "unstable" : verdict(time, all("sent"), all("estimate"), undelayed);
  const endless = { mae: Infinity, max: Infinity, rms: Infinity };
  const { mae, max, rms: error } = diverged ? endless : judge(wanted, estimate);
  const size = { mae, max, share: error / rms(wanted), height: largest(wanted) };
  const figures = { ...size, growth: diverged ? Infinity : growth(time, all("sent")), verdict: told };
  return { algorithm, time, estimate, sent, reference: wanted, force: signals.f.sent, pulled: reference.f, figures };
}
