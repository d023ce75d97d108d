/* Checks of single entries: the value that they have, or the type of error that pydantic tells. */

import { Written } from "./raw.js";

const LIMITS = {
  le: ["less_than_equal", (value, limit) => value <= limit],
  lt: ["less_than", (value, limit) => value < limit],
  ge: ["greater_than_equal", (value, limit) => value >= limit],
  gt: ["greater_than", (value, limit) => value > limit],
};
const LARGEST_WHOLE = 2n ** 63n;

/* Return a number; a whole one is taken where a real one is needed, not the other way round. */
export function checkNumber(node, given) {
  const value = given instanceof Written ? given.value : given;
  const whole = node.kind === "int";
  if (typeof value !== "bigint" && (typeof value !== "number" || (whole && given instanceof Written))) {
    return { wrong: whole ? "int_type" : "float_type" };
  }
  const found = Number(value);
  if (!whole && !Number.isFinite(found)) {
    return { wrong: typeof value === "bigint" ? "float_type" : "finite_number" };
  }
  for (const [name, [wrong, holds]] of Object.entries(LIMITS)) {
    if (name in node && !holds(whole ? value : found, node[name])) {
      return { wrong };
    }
  }
  return { value: found };
}

export function checkTruth(given) {
  return typeof given === "boolean" ? { value: given } : { wrong: "bool_type" };
}

export function checkText(node, given) {
  if (typeof given !== "string") {
    return { wrong: "string_type" };
  }
  if ([...given].length < node.least) {
    return { wrong: "string_too_short" };
  }
  return patternOf(node).test(given) ? { value: given } : { wrong: "string_pattern_mismatch" };
}

/* Return the pattern of a text; pydantic's engine means by \s what Unicode calls white space. */
function patternOf(node) {
  return new RegExp(node.pattern.replaceAll("\\s", "\\p{White_Space}"), "u");
}

/* Return one of some texts or numbers; of these also true and 1.0 are taken for 1. */
export function checkOne(node, given) {
  const number = given instanceof Written ? given.value : given;
  const numbers = node.of.filter((one) => typeof one === "number");
  if (numbers.length > 0 && typeof number === "bigint" && (number >= LARGEST_WHOLE || number < -LARGEST_WHOLE)) {
    return { wrong: "int_parsing_size" };
  }
  const asNumber = ["bigint", "number", "boolean"].includes(typeof number) ? Number(number) : NaN;
  const found = typeof given === "string" ? node.of.find((one) => one === given) : numbers.find((n) => n === asNumber);
  return found === undefined ? { wrong: "literal_error" } : { value: found };
}
