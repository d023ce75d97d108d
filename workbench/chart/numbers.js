/* Numbers on axes, in texts and tables. */

const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/* Write numbers on an axis with as many decimals as tell them apart. */
export function plainNumbers(u, splits, axis, space, step) {
  const largest = Math.max(...splits.map(Math.abs));
  if (largest >= 1e4 && largest < 1e8) {
    const thousands = plainNumbers(u, splits.map((v) => v / 1e3), axis, space, step / 1e3);
    return thousands.map((v) => (v === "0" ? v : `${v}k`));
  }
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
  const wide = isWide(splits);
  return splits.map((v) => {
    if (v === null || (wide && !isDecade(v))) return "";
    return isDecade(v) && (v >= 1e4 || v < 1e-2) ? power(Math.round(Math.log10(v))) : String(Number(v.toPrecision(2)));
  });
}

/* Lines of a logarithmic axis: where it shows many decades, those alone. */
export function decadesOnly(u, splits) {
  return isWide(splits) ? splits.map((v) => (v !== null && isDecade(v) ? v : null)) : splits;
}

/* On an axis that is linear about 0 and logarithmic beyond. */
export function bothSides(u, splits) {
  const sized = (v) => (isDecade(Math.abs(v)) ? (v < 0 ? "−" : "") + decades(u, [Math.abs(v)])[0] : "");
  return splits.map((v) => (v === 0 ? "0" : v === null ? "" : sized(v)));
}

function isWide(splits) {
  const there = splits.filter((v) => v !== null);
  return there.length > 1 && Math.max(...there) >= 99 * Math.min(...there);
}

function isDecade(value) {
  const exponent = Math.log10(value);
  return Math.abs(exponent - Math.round(exponent)) < 1e-6;
}

function power(exponent) {
  return "10" + String(exponent).replace(/./g, (c) => (c === "-" ? "⁻" : SUPERSCRIPT[Number(c)]));
}

/* A figure for texts and tables, as `couplant.base.style.number` writes it: 0.00644, 1.202, 3.2×10⁷, a dash for none. */
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
