/* Settings of an FMU for a signal as a recording shows it, as couplant build reads them. */

import { real } from "../python/real.js";

/* `weights` are { selected, steps, a, A } of an algorithm that has some, else null. */
export function settingsOf({ values, column, unit, weights }) {
  const { algorithm, timing, k, macro_step: step } = values;
  const letters = column.replace(/[^A-Za-z0-9]/g, "_").replace(/^_+|_+$/g, "").slice(0, 55);
  const name = /^[A-Za-z]/.test(letters) ? letters : "signal";
  const known = /^[^\s"\\\p{Cc}]+$/u.test(unit) ? `unit = "${unit}"\n` : "";
  return `[interface]\nname = "bench"\nmacro_step = ${step}\ntiming = "${timing}"\n\n[signals.${name}]\n` +
    `${weights ? "" : `algorithm = "${algorithm}"\n`}latency = { mode = "constant", constant_steps = ${k} }\n${known}` +
    (weights ? weightsOf(name, weights) : "");
}

/* Weights as `couplant inspect` prints them. */
function weightsOf(name, { selected, steps, a, A }) {
  const list = (values) => `[${values.map(real).join(", ")}]`;
  const rows = [`selected = "${selected}"`, `steps = ${steps}`, `a = ${list(a)}`, `A = ${list(A)}`];
  return `\n[signals.${name}.algorithm]\n${rows.join("\n")}\n`;
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
