/* What is set for a recording, the recordings in the page, and what settings and commands have of both. */

import { resample } from "../analysis/resample.js";
import { LATENCY, inSteps } from "./latency.js";
import { name_of_signal } from "../python/couplant.base.filenames.js";
import { PHASOR } from "../python/couplant.design.recommendation.js";
import { bytesOf } from "./packed.js";

const FINEST = 1e-6;
const COARSEST = 1e3;
export const PLAIN = "auto";
export const AGAIN = "reads_again"; // the one host of event timing

/* What fields set, by key, and what links have besides: the latency in macro steps. */
export function settable({ algorithms, designs, timings, timing, hosts, steps, scenario }) {
  const { latency_steps: k, jitter_steps: jitter, loss } = scenario.network;
  const fields = {
    algorithm: { label: "algorithm", options: [...algorithms, ...designs], start: PLAIN },
    latency: LATENCY,
    jitter: { label: "jitter, up to", unit: "macro steps", least: 0, most: 5, step: 1, whole: true, start: jitter },
    loss: { label: "loss", unit: "share of messages", least: 0, most: 0.5, step: 0.01, start: loss },
    macro_step: { label: "macro step ΔT", unit: "s", least: FINEST, most: COARSEST, log: true, start: 0 },
    host: { label: "tool", options: hosts, start: hosts[0].name },
    timing: { label: "timing", options: timings.map((name) => ({ name, label: name })), start: timing },
    micro: microSteps(steps),
  };
  const { algorithm, ...others } = fields;
  return { fields, about: { algorithm, k: inSteps(k, steps.latency), ...others } };
}

/* Algorithms that may be chosen: phasors where the signal is periodic. */
export const offered = (options, { periodic }) => options.filter(({ name }) => name !== PHASOR || periodic);

/* What sets the communication steps in a macro step. */
export function microSteps({ micro, most_micro: most }) {
  return { label: "communication steps", unit: "per ΔT", least: 1, most, step: 1, whole: true, start: micro };
}

/* A recording of the page as the view has it: name, what was assumed, channels with times and values. */
function opened({ name, assumed, times, channels }) {
  const doubles = (text) => new Float64Array(bytesOf(text).buffer), at = times.map(doubles);
  const whole = (one) => ({ ...one, time: at[one.time], value: doubles(one.value) });
  return { name, assumed, channels: channels.map(whole) };
}

export const startOf = (about) => Object.fromEntries(Object.entries(about).map(([key, one]) => [key, one.start]));

/* Recordings in the page; how late the example arrives is part of it. */
export function filesOf({ recording, sample }) {
  return [...(recording ? [opened(recording)] : []), { ...opened(sample), example: true }];
}

/* What settings files say of what is set. */
export const written = (values, hosts) => ({ ...values, host: hosts.find(({ name }) => name === values.host).host });

/* What the view shows first, as `recorded` of it tells; null where questions are open. */
export function shownFirst(data) {
  const [{ example, channels: [channel] }] = filesOf(data), { name, time, value, unit } = channel;
  if (!example) return null;
  const step = resample(time, value, null, name).macroStep ?? 0;
  const values = { ...startOf(settable(data).about), macro_step: step };
  return { values: written(values, data.hosts), signal: name_of_signal(name, unit), unit, weights: null };
}

/* The command that tells more about the recording; words in quotes as a shell takes them. */
export function commandOf({ timing, k, jitter, loss, macro_step: step, micro }, file, column, { micro: usual, seed }) {
  const quoted = (word) => (/^[\w./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
  const what = `${quoted(file)} --column ${quoted(column)}`;
  const fine = timing === "step" && micro !== usual ? ` --micro-step ${Number((step / micro).toPrecision(9))}` : "";
  const random = jitter > 0 || loss > 0 ? ` --jitter ${jitter} --loss ${loss} --seed ${seed}` : "";
  return `couplant inspect ${what} --macro-step ${step} --steps ${k}${random} --timing ${timing}${fine}`;
}
