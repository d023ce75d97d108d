/* Settings of an FMU for a signal as a recording shows it, as couplant build reads them. */

import { linesOf } from "../analysis/keys.js";
import { real } from "../python/real.js";

/* `signal` is its name, `weights` are the keys of an algorithm that was made of the recording, else null; `limits` are those of
   its estimate, `floor` is that of jumps. Where messages jitter or get lost their stamps tell the latency. */
export function settingsOf({ values, signal: name, unit, weights, limits = null, floor = 0 }) {
  const known = /^[^\s"\\\p{Cc}]+$/u.test(unit) ? `unit = "${unit}"\n` : "";
  const algorithm = weights ? "" : `algorithm = "${values.algorithm}"\n`;
  return `${common(values)}\n[signals.${name}]\n${algorithm}${latencyOf(values)}${known}${guarded(limits, floor)}` +
    (weights ? weightsOf(name, weights, isStamped(values)) : "");
}

const isStamped = ({ jitter, loss }) => jitter > 0 || loss > 0;

function common({ timing, host, macro_step: step, micro }) {
  const fine = timing === "step" ? `micro_step = ${Number((step / micro).toPrecision(9))}\n` : "";
  return `[interface]\nname = "bench"\nmacro_step = ${step}\ntiming = "${timing}"\nhost = "${host}"\n${fine}`;
}

function latencyOf({ k, host, ...values }) {
  const late = isStamped(values) ? ['mode = "stamps"'] : ['mode = "constant"', `constant_steps = ${k}`];
  if (host !== "sequential") return `latency = { ${late.join(", ")} }\n`;
  const lead = "# host_lead: what the order of steps adds, by couplant probe\n";
  return `${lead}latency = { ${late.join(", ")}, host_lead = 0.0 }\n`;
}

function guarded(limits, floor) {
  const ends = Object.entries(limits ?? {}).map(([key, value]) => `${key} = ${real(value)}`).join(", ");
  return (ends && `output = { ${ends} }\n`) + (floor ? `discontinuity = { floor = ${real(floor)} }\n` : "");
}

/* The algorithm as `couplant inspect` prints it. */
function weightsOf(name, { selected, ...keys }, stamped) {
  const rows = linesOf(keys).join("\n");
  const head = `\n[signals.${name}.algorithm]\nselected = "${selected}"\n`;
  return stamped && keys.a ? `${head}\n[[signals.${name}.algorithm.table]]\n${rows}\n` : `${head}${rows}\n`;
}

/* Returns the platforms that are chosen to begin with: that of this browser if it tells, and Windows. */
export function usualPlatforms(names, { userAgent }) {
  const systems = [[/Windows/, "windows"], [/Android|iPhone|iPad/, ""], [/Macintosh/, "darwin"], [/Linux/, "linux"]];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? "";
  const arm = /aarch64|arm64/i.test(userAgent) || system === "darwin"; // Macs since 2020; none tells which it is
  const own = [`${arm ? "aarch64" : "x86_64"}-${system}`, ...(system === "darwin" ? ["x86_64-darwin"] : [])];
  return names.filter((name) => own.includes(name) || name === "x86_64-windows");
}

/* The command that makes the same FMUs. */
export function buildCommand(fmi, platforms) {
  return `couplant build interface.toml --fmi ${fmi} --platform ${platforms.join(",")}`;
}

/* "a, b and c" */
export function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
