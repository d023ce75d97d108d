/* What to use: the figures that `couplant.design.recommendation` asks for, and its sentence. */

import { WIRE } from "../python/couplant.base.style.js";
import { PREFERRED, best, candidate_label, recommend } from "../python/couplant.design.recommendation.js";
import { errors } from "./judge.js";
import { total } from "./sums.js";

const BLOCKS = 4;

/* Rows as the sentence needs them, by name. */
export function named(rows) {
  const open = ({ algorithm, mae, rms, max, C }) => ({ algorithm, mae, rms, worst: max, combined: C });
  return new Map(rows.map((row) => [row.algorithm, open(row)]));
}

/* The mean error over that of the wire of a choice on three quarters, judged on the fourth, as Judged.validate; `shifted`
   are rows of the signal played slower and faster. */
export function validated(value, rows, shifted, estimates) {
  if (!(named(rows).get(WIRE).worst > 0)) return 1;
  const count = Math.min(BLOCKS, value.length), size = Math.floor(value.length / count), more = value.length % count;
  const scenes = shifted.map(named), asked = [WIRE, ...PREFERRED];
  const choices = rows.filter(({ algorithm }) => asked.includes(algorithm));
  let error = 0, baseline = 0;
  for (let block = 0, from = 0; block < count; block++) {
    const to = from + size + (block < more ? 1 : 0), [first, last] = [from, to];
    const rest = (values) => {
      const others = new Float64Array(values.length - (last - first));
      others.set(values.subarray(0, first));
      others.set(values.subarray(last), first);
      return others;
    };
    const kept = rest(value);
    const judged = choices.map(({ algorithm }) => ({ algorithm, ...errors(kept, rest(estimates.get(algorithm))) }));
    const part = (name) => total(estimates.get(name).subarray(first, last), (v, i) => Math.abs(v - value[first + i]));
    error += part(best(named(kept.length ? judged : choices), scenes));
    baseline += part(WIRE);
    from = to;
  }
  return baseline > 0 ? error / baseline : 1;
}

/* Returns { name, text, warnings }: what `couplant inspect` says of these candidates. */
export function advice({ rows, share, shifted }, k, { bands, noise, periodic }, value) {
  const constant = value.every((v) => v - value[0] === 0);
  const noisy = noise !== null && noise.certain;
  const judged = [named(rows), shifted.map(named), share];
  const { name, reason, warnings } = recommend(...judged, k, bands, noisy, constant, periodic);
  const advised = name === WIRE ? "" : `Use ${candidate_label(name)}. `;
  return { name, text: `${advised}${reason}`, warnings: [...warnings] };
}
