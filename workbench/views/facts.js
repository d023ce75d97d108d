/* What a recording tells about itself, as short lines of name and text. */

import { number } from "../chart/numbers.js";

const unitOf = (unit) => (unit ? ` ${unit}` : "");

/* Returns pairs of name and text; `found` is what the worker answers to "inspect", `grid` what `resample` returns. */
export function factsOf(grid, found, unit) {
  const { value, macroStep, gaps, longestGap } = grid;
  const facts = [["macro steps", `${value.length} of ${number(macroStep, 6)} s`]];
  if (gaps) facts.push(["gaps", `${gaps} bridged by straight lines, the longest ${number(longestGap, 3)} s`]);
  if (!found) return facts;
  const { bands, jumps, quantum, floor, repeats, noise, periodic } = found;
  const pairs = bands.disturbances.map(([low, high]) => `${number(low)} to ${number(high)} rad/s`);
  facts.push(["useful band", `up to ${number(bands.useful)} rad/s`], ["disturbances", pairs.join(", ") || "none"]);
  facts.push(["jumps", String(jumps.length)]);
  if (periodic) facts.push(["periodic", `${number(periodic.frequency, 4)} Hz${harmonicsOf(periodic)}`]);
  if (noise) facts.push(["noise", `${number(noise.deviation)}${unitOf(unit)}${noise.certain ? "" : " at most"}`]);
  if (quantum !== null) {
    facts.push(["quantised in steps of", `${number(quantum)}${unitOf(unit)}, floor of jumps ${number(floor)}`]);
  }
  if (repeats !== null) facts.push(["slower sender", `each value stays for ${number(repeats, 3)} macro steps`]);
  return facts;
}

const harmonicsOf = ({ harmonics }) => (harmonics > 1 ? `, odd harmonics up to order ${harmonics}` : "");

/* Says what to do, in a sentence: `name` is what is recommended. */
export function headline(name, rows, labels, latency) {
  const [own, wire] = [name, "wire"].map((one) => rows.find((row) => row.algorithm === one));
  if (name === "wire") return `${latency} late: leave the FMU out, nothing here is better for certain.`;
  return `${latency} late: use ${labels[name]}, ${(100 * (1 - own.mae / wire.mae)).toFixed(0)} % less error than the plain wire.`;
}

/* Says which algorithm has the smallest error, in a sentence; rows are sorted, the least error first. */
export function leastError(rows, labels, unit, latency) {
  const [best] = rows, wire = rows.find((row) => row.algorithm === "wire");
  if (!(wire.mae > 0)) return `${latency} late, the value as it comes is exact where it is judged.`;
  if (best.algorithm === "wire") return `${latency} late, no algorithm errs less than the plain wire: leave the FMU out.`;
  const less = 100 * (1 - best.mae / wire.mae);
  const share = less > 99 ? "over 99" : less.toFixed(0);
  const size = `${number(best.mae, 3)}${unitOf(unit)} on average`;
  const against = `${share} % less than the plain wire`;
  return `${latency} late, ${labels[best.algorithm]} has the smallest error: ${size}, ${against}.`;
}
