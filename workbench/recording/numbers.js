// Numbers in text, quickly: decimal ones of up to 15 digits are exact by one division; all else goes another way.

const POWERS = Float64Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));
const ZERO = 48;

// The number between two places of a text, or undefined if it is not written plainly; `point` is its decimal mark.
export function plainNumber(text, begin, end, point) {
  let [at, digits, after, value] = [begin, 0, -1, 0];
  const first = text.charCodeAt(at);
  const negative = first === 45;
  if (negative || first === 43) at++;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    const digit = code - ZERO;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      digits++;
      if (after >= 0) after++;
    } else if ((code === 46 || code === point) && after < 0) {
      after = 0;
    } else {
      return undefined;
    }
  }
  if (digits === 0) return undefined;
  if (digits > 15 || after > 22) return long(text, begin, end);
  const size = after > 0 ? value / POWERS[after] : value;
  return negative ? -size : size;
}

// More digits than a double holds: JavaScript rounds them as Python does.
function long(text, begin, end) {
  return Number(text.slice(begin, end).replace(",", "."));
}
