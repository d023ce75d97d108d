// Rows of cells in a text, as Python's csv splits them: cells may be quoted, a quote in a quoted cell is written twice.

import { py } from "../python/run.js";

const LONGEST = 131072; // letters in a cell

// Yield the cells of each row, and the number of the line in which it ends; blank rows too.
export function* records(text, delimiter) {
  let [at, line] = [0, 0];
  while (at < text.length) {
    let row = null;
    do {
      const end = endOf(text, at);
      const next = text[end] === "\r" && text[end + 1] === "\n" ? end + 2 : Math.min(end + 1, text.length);
      const whole = text.slice(at, next);
      if (row === null && !whole.includes('"')) row = { cells: plain(text.slice(at, end), delimiter), open: false };
      else addLine((row ??= { cells: [], cell: "", quoted: false, open: false }), whole, delimiter);
      [at, line] = [next, line + 1];
    } while (row.open && at < text.length);
    if (row.open) row.cells.push(row.cell);
    if (row.cells.some((cell) => cell.length > LONGEST)) throw new py.UnicodeError("a cell without end");
    yield [line, row.cells];
  }
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

// Yield rows that are not blank, each with the number of its line.
export function* rows_in(text, delimiter) {
  for (const [line, cells] of records(text, delimiter)) {
    if (cells.length > 1 || py.str.strip(cells.join("")) !== "") yield py.frozen([line, cells]);
  }
}
