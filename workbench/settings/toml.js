/* TOML 1.0 as Python's tomllib reads it, with the same messages.
 *
 * Tables become Map, arrays Array, whole numbers BigInt, reals Number, dates and times Moment.
 *
 * These modules, toml*.js, follow tomllib function by function. Its licence, MIT:
 *
 * Copyright (c) 2021 Taneli Hukkinen
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
 * documentation files (the "Software"), to deal in the Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
 * to permit persons to whom the Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of
 * the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
 * THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
 * CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
 * DEALINGS IN THE SOFTWARE. */

import { fail, pythonKey, skip, skipComment, TomlError } from "./toml_texts.js";
import { readKey, readPair } from "./toml_values.js";
import { Flags, NestedTable } from "./toml_tables.js";

const SPACE = " \t";
const MOST_BRACKETS = 100;

/* Return the content of a TOML document; what is none is refused by a TomlError that says what stands where. */
export function parseToml(text) {
  const document = read(text);
  if (document === null || isDeep(document)) {
    throw new TomlError(`brackets in more than ${MOST_BRACKETS} others`);
  }
  return document;
}

function read(text) {
  try {
    return statements(text.replaceAll("\r\n", "\n"));
  } catch (error) {
    if (error instanceof RangeError) {
      return null; // no room on the stack
    }
    throw error;
  }
}

function isDeep(document) {
  let level = [document];
  for (let depth = 0; depth <= MOST_BRACKETS && level.length > 0; depth += 1) {
    const values = level.flatMap((node) => [...node.values()]);
    level = values.filter((value) => value instanceof Map || Array.isArray(value));
  }
  return level.length > 0;
}

function statements(src) {
  const reader = { src, data: new NestedTable(), flags: new Flags(), header: [] };
  let pos = skip(src, 0, SPACE);
  while (pos < src.length) {
    if (src[pos] !== "\n") {
      pos = skipComment(src, statement(reader, pos));
      if (pos < src.length && src[pos] !== "\n") {
        fail(src, pos, "Expected newline or end of document after a statement");
      }
    }
    pos = skip(src, pos + 1, SPACE);
  }
  return reader.data.root;
}

function statement(reader, pos) {
  const { src } = reader;
  if (/[A-Za-z0-9_"'-]/.test(src[pos])) {
    return skip(src, keyAndValue(reader, pos), SPACE);
  }
  if (src[pos] === "[") {
    reader.flags.finish();
    return skip(src, src[pos + 1] === "[" ? arrayOfTables(reader, pos) : table(reader, pos), SPACE);
  }
  return src[pos] === "#" ? pos : fail(src, pos, "Invalid statement");
}

function table(reader, start) {
  const { src, flags } = reader;
  const [pos, key] = readKey(src, skip(src, start + 1, SPACE));
  if (flags.has(key, "explicit") || flags.has(key, "frozen")) {
    fail(src, pos, `Cannot declare ${pythonKey(key)} twice`);
  }
  flags.set(key, "explicit", false);
  if (reader.data.nest(key) === null) {
    fail(src, pos, "Cannot overwrite a value");
  }
  if (!src.startsWith("]", pos)) {
    fail(src, pos, "Expected ']' at the end of a table declaration");
  }
  reader.header = key;
  return pos + 1;
}

function arrayOfTables(reader, start) {
  const { src, flags } = reader;
  const [pos, key] = readKey(src, skip(src, start + 2, SPACE));
  if (flags.has(key, "frozen")) {
    fail(src, pos, `Cannot mutate immutable namespace ${pythonKey(key)}`);
  }
  flags.unset(key); // what follows is another entry ..
  flags.set(key, "explicit", false); // .. which no [table] may open
  if (!reader.data.append(key)) {
    fail(src, pos, "Cannot overwrite a value");
  }
  if (!src.startsWith("]]", pos)) {
    fail(src, pos, "Expected ']]' at the end of an array declaration");
  }
  reader.header = key;
  return pos + 2;
}

function keyAndValue(reader, start) {
  const { src, flags, header } = reader;
  const [pos, key, value] = readPair(src, start);
  const parent = [...header, ...key.slice(0, -1)];
  for (let length = header.length + 1; length <= parent.length; length += 1) {
    const above = parent.slice(0, length);
    if (flags.has(above, "explicit")) {
      fail(src, pos, `Cannot redefine namespace ${pythonKey(above)}`);
    }
    flags.later(above, "explicit");
  }
  if (flags.has(parent, "frozen")) {
    fail(src, pos, `Cannot mutate immutable namespace ${pythonKey(parent)}`);
  }
  const nest = reader.data.nest(parent);
  if (nest === null || nest.has(key.at(-1))) {
    fail(src, pos, "Cannot overwrite a value");
  }
  if (value instanceof Map || Array.isArray(value)) {
    flags.set([...header, ...key], "frozen", true);
  }
  nest.set(key.at(-1), value);
  return pos;
}
