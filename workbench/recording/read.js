// A recording as a tool wrote it: from the bytes of a text to its channels, as `couplant.tables.read` does in Python.

import { py } from "../python/run.js";
import { UsageError } from "../python/couplant.base.errors.js";
import { PACKED, is_stamp, moment, seconds_of_day } from "../python/couplant.tables.clock.js";
import { FIRST_ROWS, HEAD, LONG_HEAD, MISSING, NO_TEXT, dialect_in } from "../python/couplant.tables.dialect.js";
import { READERS, REFUSED, Reading, assumptions, numeric, times_of } from "../python/couplant.tables.headings.js";
import { Sheet, Words } from "../python/couplant.tables.sheet.js";
import { Text } from "./encoding.js";
import { plainNumber } from "./numbers.js";
import { filled, records } from "./rows.js";

const MOST_NUMBERS = 16e6;
const [FEW_LINES, HALF_DAY, DAY] = [4, 43200, 86400];

// What a file holds, or a sentence that says what is wrong with it.
//
// `how` may tell time, time_unit, delimiter and decimal. The answer is { name, assumed, clocks, names, channels } with
// channels of numbers { name, unit, time, value }, times in s and values as Float64Array, or { error }. At most `piece`
// bytes are text at the same time.
export function readRecording(bytes, name, how = {}, piece = undefined) {
  try {
    return channels(new Text(bytes, piece), name, new Reading(how.time, how.time_unit, how.delimiter, how.decimal));
  } catch (error) {
    if (py.caught(error, UsageError)) return { error: error.message };
    throw error;
  }
}

function channels(text, name, how) {
  refuseOthers(text.bytes, name);
  const table = tableOf(text, name, how);
  const head = first(table, FIRST_ROWS);
  const times = times_of(table.sheet, how, head);
  const clocks = [...times.columns];
  const said = assumptions(table.sheet, times, how, clocks.length > 0 && hasStamps(table, clocks[0]));
  const names = [...times.of.keys()];
  const remarks = new Set(said ? [said] : []);
  const found = selected(table, times, numeric(table.sheet, names, head), how, remarks);
  return { name, assumed: [...remarks].join("; "), clocks, names, channels: found };
}

function refuseOthers(bytes, name) {
  const head = bytes.subarray(0, 96);
  const begins = (beginning) => py.bytes.startswith(head, beginning);
  for (const [beginning, kind] of READERS) {
    if (begins(beginning) && (kind !== "ASC" || String.fromCharCode(...head).includes("base "))) {
      throw new UsageError(`${name}: ${kind} is not read here, allowed is text (CSV); couplant try ${name} reads it.`);
    }
  }
  for (const [beginning, said] of REFUSED) if (begins(beginning)) throw new UsageError(`${name}: ${said}`);
}

function tableOf(text, name, how) {
  const { encoding } = text;
  if (encoding === null) throw new UsageError(`${name}: ${NO_TEXT}`);
  try {
    let head = py.slice(text.head(2 * HEAD), 0, HEAD);
    if (head.split("\n").length <= FEW_LINES) head = py.slice(text.head(2 * LONG_HEAD), 0, LONG_HEAD);
    const dialect = dialect_in(head, encoding, name, how.delimiter, how.decimal);
    return { text, sheet: new Sheet(name, dialect) };
  } catch (error) {
    throw py.caught(error, py.UnicodeError) ? new UsageError(`${name}: ${NO_TEXT}`) : error;
  }
}

// Rows below the headings, each with its number and as many cells as these.
function* rowsOf(table) {
  const { above, delimiter } = table.sheet.dialect;
  for (const [row, cells] of filled(table.text.pieces(), delimiter)) {
    if (row > above) yield [row, table.sheet.fitting(row, cells, true)];
  }
}

function first(table, count) {
  const found = [];
  for (const [, cells] of rowsOf(table)) {
    if (found.push(cells) === count) break;
  }
  return found;
}

function isMissing(cell) {
  return MISSING.includes(cell.toLowerCase());
}

function hasStamps(table, name) {
  const place = table.sheet.place(name);
  const cells = first(table, FIRST_ROWS).map((row) => py.str.strip(row[place]));
  return is_stamp(cells.find((cell) => !isMissing(cell)) ?? "");
}

// Channels in the order of `names`, in one pass for each column of times; `remarks` get lines on their gaps.
function selected(table, times, names, how, remarks) {
  const found = new Map();
  for (const clock of new Set(names.map((name) => times.of.get(name)))) {
    const own = names.filter((name) => times.of.get(name) === clock);
    const read = clock === "" ? columns(table, own) : timed(table, clock, own, how, times);
    const remark = (words, name, numbers, isTime = false) => {
      const line = words.remark(name, numbers.reduce((sum, one) => sum + Number.isFinite(one), 0), isTime);
      if (line) remarks.add(line);
    };
    if (read.time) remark(read.stamps ?? read.words, clock, read.time, true);
    own.forEach((name, n) => {
      const value = read.values[n];
      remark(read.words, name, value);
      const time = read.time ?? value.map((_, at) => times.step * at);
      found.set(name, { name, unit: table.sheet.unit(name), ...ownRows(time, value) });
    });
  }
  return names.map((name) => found.get(name));
}

// Times in s and the columns that go by them, with the words among them: of time stamps their own ones.
function timed(table, clock, names, how, times) {
  const { sheet } = table;
  const place = sheet.place(clock);
  if (hasStamps(table, clock)) {
    const stamps = new Words(sheet), time = sinceFirst(table, place, stamps);
    return { time, stamps, ...(names.length ? columns(table, names) : { values: [] }) };
  }
  const unit = how.time_unit ?? sheet.time_unit(clock);
  const factor = unit === PACKED ? 1 : sheet.seconds_of(clock, unit || times.unit);
  const { values: [time, ...values], words } = columns(table, [clock, ...names]);
  if (unit === PACKED) return { time: overMidnight(time.map(seconds_of_day)), values, words };
  return { time: factor === 1 ? time : time.map((value) => value * factor), values, words };
}

function sinceFirst(table, place, words) {
  const found = new Numbers(table.text.lines());
  let start = null;
  for (const [row, cells] of rowsOf(table)) {
    const one = moment(cells[place]);
    if (one === null && !isMissing(py.str.strip(cells[place]))) words.add(row, table.sheet.names[place], cells[place]);
    start ??= one;
    found.add(one === null ? NaN : nanoseconds(one, start) * 1e-9);
  }
  return start === null || start[0] >= DAY ? found.values() : overMidnight(found.values());
}

// Times of day that go on rising at midnight.
function overMidnight(time) {
  let [before, days] = [NaN, 0];
  return time.map((one) => {
    if (one - before < -HALF_DAY) days += DAY;
    if (Number.isFinite(one)) before = one;
    return one + days;
  });
}

function nanoseconds(one, start) {
  const [seconds, rest] = [one[0] - start[0], one[1] - start[1]];
  return seconds < 9e6 ? seconds * 1e9 + rest : Number(BigInt(seconds) * 1000000000n + BigInt(rest));
}

// Numbers of columns, by row in the order of the names, so that the first wrong cell is the one that is said.
function columns(table, names) {
  const { sheet } = table;
  const places = names.map((name) => sheet.place(name));
  const most = table.text.lines(), count = most * names.length;
  if (count > MOST_NUMBERS) {
    const told = `about ${(1e-6 * count).toFixed(1)} million numbers, allowed ${1e-6 * MOST_NUMBERS} million`;
    throw new UsageError(`${sheet.origin} has ${told}; couplant try ${sheet.origin} reads it.`);
  }
  const found = places.map(() => new Numbers(most));
  let words = new Words(sheet);
  const again = () => {
    for (const one of found) one.size = 0;
    words = new Words(sheet);
  };
  for (const [row, cells] of plainRows(table, places, found, again)) {
    if (row <= sheet.dialect.above || (cells.length < 2 && py.str.strip(cells.join("")) === "")) continue;
    places.forEach((place, n) => found[n].add(words.value(row, cells, place)));
  }
  if (found[0].size === 0) throw new UsageError(`${sheet.origin}: needs a row of headings and rows of numbers.`);
  return { values: found.map((one) => one.values()), words };
}

// Numbers of which there are at most so many.
class Numbers {
  constructor(most) {
    this.items = new Float64Array(most);
    this.size = 0;
  }

  add(value) {
    this.items[this.size++] = value;
  }

  values() {
    return this.items.subarray(0, this.size);
  }
}

// Add rows of plain numbers to what is found, and yield all others with the number of their line; `again` forgets all.
function* plainRows(table, places, found, again) {
  const { text, sheet } = table;
  const { above, delimiter, decimal } = sheet.dialect;
  if (delimiter === " " || delimiter === decimal) {
    yield* records(text.pieces(), delimiter);
    return;
  }
  const line = { begin: 0, end: 0, number: 0, ends: new Int32Array(sheet.names.length) };
  const numbers = new Float64Array(places.length);
  const [mark, point] = [delimiter.charCodeAt(0), decimal === "," ? 44 : 46];
  for (const piece of text.pieces()) {
    line.begin = 0;
    skip(piece, line, above);
    if (piece.includes('"', line.begin)) { // once more from the start: rows may go over lines
      again();
      yield* records(text.pieces(), delimiter);
      return;
    }
    while (line.begin < piece.length) {
      const count = cut(piece, line, mark);
      line.number++;
      if (count === sheet.names.length && taken(piece, line, places, point, numbers)) {
        for (let n = 0; n < found.length; n++) found[n].add(numbers[n]);
      } else {
        yield [line.number, line.end > line.begin ? piece.slice(line.begin, line.end).split(delimiter) : []];
      }
      line.begin = following(piece, line.end);
    }
  }
}

// Where the line after the one that ends here begins.
function following(text, end) {
  return text.charCodeAt(end) === 13 && text.charCodeAt(end + 1) === 10 ? end + 2 : end + 1;
}

// Go on to below the first lines, `above` of them.
function skip(text, line, above) {
  for (; line.number < above && line.begin < text.length; line.number++) {
    let at = line.begin;
    while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at++;
    line.begin = following(text, at);
  }
}

// Note where the cells of a line end; return how many there are.
function cut(text, line, mark) {
  let [at, count] = [line.begin, 0];
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === mark) line.ends[count++] = at;
    else if (code === 10 || code === 13) break;
  }
  line.ends[count++] = at;
  line.end = at;
  return count;
}

// Tell whether all cells of a row that are asked for are plain numbers, which then are taken.
function taken(text, line, places, point, numbers) {
  for (let n = 0; n < places.length; n++) {
    const place = places[n];
    const value = plainNumber(text, place === 0 ? line.begin : line.ends[place - 1] + 1, line.ends[place], point);
    if (value === undefined) return false;
    numbers[n] = value;
  }
  return true;
}

// Times and values of every n-th row where others are always empty: a channel with a rate of its own.
function ownRows(time, value) {
  const known = (one) => Number.isFinite(one), start = value.findIndex(known);
  const apart = value.subarray(start + 1).findIndex(known) + 1;
  if (start < 0 || apart < 2) return { time, value };
  const there = [];
  value.forEach((one, n) => Number.isFinite(one) && there.push(n));
  const even = there.every((at, n) => n === 0 || at - there[n - 1] === apart);
  if (!even) return { time, value };
  return { time: Float64Array.from(there, (at) => time[at]), value: Float64Array.from(there, (at) => value[at]) };
}
