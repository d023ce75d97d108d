// Rows of cells in a text, as Python's csv splits them: cells may be quoted, a quote in a quoted cell is written twice.

import { py } from "../python/run.js";

const LONGEST = 131072; // letters in a cell

// Yield the cells of each row, and the number of the line in which it ends; blank rows too. The text comes in pieces
// that end with lines.
export function* records(pieces, delimiter) {
  let [row, line] = [null, 0];
  for (const text of pieces) {
    for (let at = 0, next; at < text.length; at = next) {
      const end = endOf(text, at);
      next = text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : Math.min(end + 1, text.length);
      const whole = text.slice(at, next);
      if (row === null && !whole.includes('"')) row = { cells: plain(text.slice(at, end), delimiter), open: false };
      else addLine((row ??= { cells: [], cell: "", quoted: false, open: false }), whole, delimiter);
      line++;
      if (!row.open) {
        yield [line, ended(row)];
        row = null;
      }
    }
  }
  if (row !== null) yield [line, ended(row)];
}

function ended({ open, cells, cell }) {
  const found = open ? [...cells, cell] : cells;
  if (found.some((one) => one.length > LONGEST)) throw new py.UnicodeError("a cell without end");
  return found;
}

function endOf(text, begin) {
  let at = begin;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) break;
  }
  return at;
}

// Cells of a line without quotes; of blanks between cells several are as one.
function plain(line, delimiter) {
  if (line === "") return [];
  if (delimiter !== " ") return line.split(delimiter);
  const cells = line.match(/[^ ]+/g) ?? [];
  return line.endsWith(" ") ? [...cells, ""] : cells;
}

// Add a line to a row, letter by letter; a cell that is still open goes on in the next one.
function addLine(row, line, delimiter) {
  let begins = !row.open;
  for (const letter of line) {
    const ends = letter === "\n" || letter === "\r";
    if (row.open) {
      if (letter === '"') [row.open, row.quoted] = [false, true];
      else row.cell += letter;
    } else if (ends) {
      break;
    } else if (letter === '"' && (begins || row.quoted)) {
      if (row.quoted) row.cell += letter;
      [row.open, row.quoted, begins] = [true, false, false];
    } else if (letter === " " && delimiter === " " && begins) {
      continue;
    } else if (letter === delimiter) {
      row.cells.push(row.cell);
      [row.cell, row.quoted, begins] = ["", false, true];
    } else {
      row.cell += letter;
      [row.quoted, begins] = [false, false];
    }
  }
  if (!row.open) row.cells.push(row.cell);
}

// Yield rows of a text that are not blank, each with the number of its line.
export function rows_in(text, delimiter) {
  return filled([text], delimiter);
}

// The same of pieces.
export function* filled(pieces, delimiter) {
  for (const [line, cells] of records(pieces, delimiter)) {
    if (cells.length > 1 || py.str.strip(cells.join("")) !== "") yield py.frozen([line, cells]);
  }
}
