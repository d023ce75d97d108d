// Regular expressions; the translator has written their patterns as JavaScript means them.

import { IndexError } from "./errors.js";
import { frozen, isWide, len } from "./values.js";
import { Dict } from "./containers.js";

class Match {
  constructor(found, names, expression) {
    this.found = found;
    this.names = names;
    this.expression = expression;
    this.string = found.input;
  }

  one(key) {
    const n = typeof key === "string" ? this.names.get(key) : key;
    if (n === undefined || n < 0 || n >= this.found.length) throw new IndexError("no such group");
    return n;
  }

  __getitem__(key) {
    return this.found[this.one(key)] ?? null;
  }

  group(...keys) {
    if (keys.length < 2) return this.__getitem__(keys[0] ?? 0);
    return frozen(keys.map((key) => this.__getitem__(key)));
  }

  groups(otherwise = null) {
    return frozen(Array.from(this.found, (text) => text ?? otherwise).slice(1));
  }

  groupdict(otherwise = null) {
    return new Dict(Array.from(this.names, ([name, n]) => [name, this.found[n] ?? otherwise]));
  }

  span(key = 0) {
    const again = new RegExp(this.expression.source, `${this.expression.flags}d`); // places are seldom asked for
    again.lastIndex = this.found.index;
    const ends = again.exec(this.string).indices[this.one(key)] ?? [-1, -1];
    return frozen(ends.map((n) => (n > 0 && isWide(this.string) ? len(this.string.slice(0, n)) : n)));
  }

  start(key = 0) {
    return this.span(key)[0];
  }

  end(key = 0) {
    return this.span(key)[1];
  }
}

class Pattern {
  constructor(source, flags, names) {
    this.names = new Map(names);
    this.anywhere = new RegExp(source, `gu${flags}`);
    this.begin = new RegExp(source, `yu${flags}`);
    this.whole = new RegExp(`(?:${source})(?![^])`, `yu${flags}`);
  }

  from(expression, text, place = 0) {
    expression.lastIndex = place;
    const found = expression.exec(text);
    return found === null ? null : new Match(found, this.names, expression);
  }

  all(text) {
    this.anywhere.lastIndex = 0;
    return text.matchAll(this.anywhere);
  }

  match(text) {
    return this.from(this.begin, text);
  }

  fullmatch(text) {
    return this.from(this.whole, text);
  }

  search(text) {
    return this.from(this.anywhere, text);
  }

  *finditer(text) {
    for (const found of this.all(text)) yield new Match(found, this.names, this.anywhere);
  }

  findall(text) {
    return Array.from(this.all(text), (found) => {
      if (found.length < 3) return found[found.length - 1] ?? "";
      return frozen(Array.from(found, (one) => one ?? "").slice(1));
    });
  }

  sub(other, text, count = 0) {
    let left = count || Infinity;
    const put = typeof other === "string" ? (found) => expanded(other, found) : other;
    return replaced(text, this.all(text), (found) => (left-- > 0 ? put(new Match(found, this.names, this.anywhere)) : null));
  }

  split(text, count = 0) {
    const found = [];
    let begin = 0;
    for (const one of this.all(text)) {
      if (count && found.length >= count * one.length) break;
      found.push(text.slice(begin, one.index), ...Array.from(one, (group) => group ?? null).slice(1));
      begin = one.index + one[0].length;
    }
    return [...found, text.slice(begin)];
  }
}

function replaced(text, all, put) {
  let [whole, begin] = ["", 0];
  for (const found of all) {
    const other = put(found);
    if (other === null) break;
    whole += text.slice(begin, found.index) + other;
    begin = found.index + found[0].length;
  }
  return whole + text.slice(begin);
}

const ESCAPES = { n: "\n", r: "\r", t: "\t", "\\": "\\" };

// A replacement with \1 or \g<name> in it.
function expanded(text, match) {
  return text.replace(/\\(?:(\d+)|g<(\w+)>|([^]))/g, (_, number, name, other) => {
    if (other !== undefined) return ESCAPES[other] ?? `\\${other}`;
    return match.__getitem__(number === undefined && !/^\d+$/.test(name) ? name : Number(number ?? name)) ?? "";
  });
}

const known = new Map();

// A pattern, made once; `names` are pairs of the name and the number of a group.
export function regex(source, flags = "", names = []) {
  const key = `${flags}/${source}`;
  if (!known.has(key)) known.set(key, new Pattern(source, flags, names));
  return known.get(key);
}

export function escape(text) {
  return text.replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, "\\$&");
}
