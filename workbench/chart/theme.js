/* Colours of the page as it is shown, light or dark, and numbers on axes. */

export const FONT = '12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

const known = { palette: null, dark: null };

/* Takes the colours of both themes; `changed` is called when the reader changes from one to the other. */
export function usePalette(palette, changed) {
  known.palette = palette;
  known.dark = window.matchMedia("(prefers-color-scheme: dark)");
  known.dark.addEventListener("change", changed);
}

export function shade(name) {
  const colours = known.palette[known.dark.matches ? "dark" : "light"];
  return colours[name] ?? colours.linear;
}

export function plainNumbers(u, splits, axis, space, step) {
  const largest = Math.max(...splits.map(Math.abs));
  if (largest >= 1e5 || largest < 1e-3) {
    return splits.map((v) => (v === 0 ? "0" : v.toExponential(1).replace("-", "−")));
  }
  const digits = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
  const short = Math.abs(digits - Math.round(digits)) < 1e-6;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (short ? 0 : 1));
  return splits.map((v) => v.toFixed(Math.min(decimals, 8)).replace("-", "−"));
}

/* On a logarithmic axis: decades; where it shows fewer than two of them, every number that has room. */
export function decades(u, splits) {
  const there = splits.filter((v) => v !== null);
  const wide = there.length > 1 && Math.max(...there) >= 99 * Math.min(...there);
  return splits.map((v) => {
    if (v === null || (wide && !isDecade(v))) return "";
    return isDecade(v) && (v >= 1e4 || v < 1e-2) ? power(Math.round(Math.log10(v))) : String(Number(v.toPrecision(2)));
  });
}

/* Lines of a logarithmic axis: where it shows many decades, those alone. */
export function decadesOnly(u, splits) {
  const there = splits.filter((v) => v !== null);
  const wide = there.length > 1 && Math.max(...there) >= 99 * Math.min(...there);
  return wide ? splits.map((v) => (v !== null && isDecade(v) ? v : null)) : splits;
}

function isDecade(value) {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-6;
}

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export function power(exponent) {
  return "10" + String(exponent).replace(/./g, (c) => (c === "-" ? "⁻" : SUPERSCRIPT[Number(c)]));
}

/* A figure for texts and tables, as `couplant.base.style.number` writes it: 0.00644, 1.202, 3.2×10⁷; a dash for none. */
export function number(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "—";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const text = size === 0 || (size >= 1e-4 && size < 99999.5) ? decimal(value, digits) : exponential(value, digits);
  return text.replace("-", "−");
}

function decimal(value, digits) {
  return Math.abs(value) >= 10 ** digits ? value.toFixed(0) : String(Number(value.toPrecision(digits)));
}

function exponential(value, digits) {
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  return `${mantissa}×${power(Number(exponent))}`;
}
