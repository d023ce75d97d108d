/* Texts of a TOML document, what lies between values, and the messages of tomllib. */

const CONTROL = /[\x00-\x08\x0a-\x1f\x7f]/;
const CONTROL_OF_LINES = /[\x00-\x08\x0b-\x1f\x7f]/;
const SPACE = " \t";
const SPACE_AND_LINES = " \t\n";
const ESCAPES = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" };

export class TomlError extends Error {}

/* Refuse what stands at a place of a document. */
export function fail(src, pos, message) {
  throw new TomlError(`${message} (at ${place(src, pos)})`);
}

function place(src, pos) {
  if (pos >= src.length) {
    return "end of document";
  }
  const before = src.slice(0, pos);
  const column = [...before.slice(before.lastIndexOf("\n") + 1)].length + 1;
  return `line ${before.split("\n").length}, column ${column}`;
}

export function skip(src, start, chars) {
  let pos = start;
  while (pos < src.length && chars.includes(src[pos])) {
    pos += 1;
  }
  return pos;
}

export function skipComment(src, pos) {
  return src[pos] === "#" ? skipUntil(src, pos + 1, "\n", CONTROL, false) : pos;
}

export function skipCommentsAndLines(src, start) {
  let pos = start;
  for (;;) {
    const before = pos;
    pos = skipComment(src, skip(src, pos, SPACE_AND_LINES));
    if (pos === before) {
      return pos;
    }
  }
}

function skipUntil(src, pos, expected, refused, needed) {
  const found = src.indexOf(expected, pos);
  if (found < 0 && needed) {
    fail(src, src.length, `Expected ${pythonText(expected)}`);
  }
  const end = found < 0 ? src.length : found;
  const wrong = src.slice(pos, end).search(refused);
  if (wrong >= 0) {
    fail(src, pos + wrong, `Found invalid character ${pythonText(src[pos + wrong])}`);
  }
  return end;
}

/* Return the place behind a text in apostrophes that begins at `start`, and the text. */
export function readLiteral(src, start) {
  const end = skipUntil(src, start + 1, "'", CONTROL, true);
  return [end + 1, src.slice(start + 1, end)];
}

/* Return the place behind a text in quotes that begins at `start`, and the text. */
export function readQuoted(src, start) {
  return readBasic(src, start + 1, false);
}

export function readLines(src, start) {
  const first = src.startsWith("\n", start + 3) ? start + 4 : start + 3;
  const quote = src[start];
  const [end, text] = quote === "'" ? readLiteralLines(src, first) : readBasic(src, first, true);
  const more = src.startsWith(quote + quote, end) ? 2 : src.startsWith(quote, end) ? 1 : 0;
  return [end + more, text + quote.repeat(more)]; // up to two quotes more belong to the text
}

function readLiteralLines(src, start) {
  const end = skipUntil(src, start, "'''", CONTROL_OF_LINES, true);
  return [end + 3, src.slice(start, end)];
}

function readBasic(src, start, lines) {
  const refused = lines ? CONTROL_OF_LINES : CONTROL;
  let [pos, from, text] = [start, start, ""];
  for (;;) {
    const char = src[pos];
    if (char === undefined) {
      fail(src, pos, "Unterminated string");
    }
    if (char === '"' && (!lines || src.startsWith('"""', pos))) {
      return [pos + (lines ? 3 : 1), text + src.slice(from, pos)];
    }
    if (char === "\\") {
      text += src.slice(from, pos);
      const [end, meant] = readEscape(src, pos, lines);
      [pos, from, text] = [end, end, text + meant];
      continue;
    }
    if (refused.test(char)) {
      fail(src, pos, `Illegal character ${pythonText(char)}`);
    }
    pos += 1;
  }
}

function readEscape(src, start, lines) {
  const char = src.slice(start + 1, start + 2);
  const pos = start + 1 + (String.fromCodePoint(src.codePointAt(start + 1) ?? 0).length);
  if (lines && char !== "" && SPACE_AND_LINES.includes(char)) {
    return [lineGoesOn(src, pos, char), ""];
  }
  if (char === "u" || char === "U") {
    return readHex(src, pos, char === "u" ? 4 : 8);
  }
  if (!Object.hasOwn(ESCAPES, char)) {
    fail(src, pos, "Unescaped '\\' in a string");
  }
  return [pos, ESCAPES[char]];
}

function lineGoesOn(src, start, char) {
  let pos = start;
  if (char !== "\n") {
    pos = skip(src, pos, SPACE);
    if (pos >= src.length) {
      return pos;
    }
    if (src[pos] !== "\n") {
      fail(src, pos, "Unescaped '\\' in a string");
    }
    pos += 1;
  }
  return skip(src, pos, SPACE_AND_LINES);
}

function readHex(src, pos, length) {
  const digits = src.slice(pos, pos + length);
  if (digits.length !== length || !/^[0-9A-Fa-f]+$/.test(digits)) {
    fail(src, pos, "Invalid hex value");
  }
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    fail(src, pos + length, "Escaped character is not a Unicode scalar value");
  }
  return [pos + length, String.fromCodePoint(code)];
}

/* Return a key as Python shows a tuple of texts. */
export function pythonKey(parts) {
  return parts.length === 1 ? `(${pythonText(parts[0])},)` : `(${parts.map(pythonText).join(", ")})`;
}

/* Return a text as Python's repr shows it. */
export function pythonText(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + Array.from(text, (char) => shownChar(char, quote)).join("") + quote;
}

function shownChar(char, quote) {
  const named = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", [quote]: `\\${quote}` };
  if (Object.hasOwn(named, char)) {
    return named[char];
  }
  if (char === " " || !/[\p{C}\p{Z}]/u.test(char)) {
    return char;
  }
  const code = char.codePointAt(0).toString(16);
  const [letter, width] = code.length <= 2 ? ["x", 2] : code.length <= 4 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.padStart(width, "0")}`;
}
