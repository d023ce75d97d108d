// What goes over things: comprehensions, zip, sums, the least and the greatest.

import { StopIteration, ValueError } from "./errors.js";
import { eq, frozen, isWide, iter, less, truth } from "./values.js";
import { add } from "./sequences.js";
import { keyText } from "./containers.js";

// A list of what a function makes of values, of those alone for which a condition holds.
export function map(values, make, holds = null) {
  const found = [];
  if (holds === null) for (const value of iter(values)) found.push(make(value));
  else for (const value of iter(values)) if (holds(value)) found.push(make(value));
  return found;
}

// The lists that a function makes of values, one behind the other.
export function flat(values, make, holds = null) {
  const found = [];
  for (const value of iter(values)) if (holds === null || holds(value)) for (const one of make(value)) found.push(one);
  return found;
}

// As `map`, one after the other while they are asked for.
export function* lazy(values, make, holds = null) {
  for (const value of iter(values)) if (holds === null || holds(value)) yield make(value);
}

export function* lazyFlat(values, make, holds = null) {
  for (const value of iter(values)) if (holds === null || holds(value)) yield* make(value);
}

// map() of several.
export function* mapped(make, ...values) {
  for (const items of zip(values)) yield make(...items);
}

export function* zip(values, strict = false) {
  const runs = values.map((one) => iter(one)[Symbol.iterator]());
  while (runs.length) {
    const items = [];
    for (const run of runs) {
      const { done, value } = run.next();
      if (done) {
        if (strict) ended(runs, items.length);
        return;
      }
      items.push(value);
    }
    yield frozen(items);
  }
}

function ended(runs, before) {
  if (before > 0 || runs.slice(1).some((run) => !run.next().done)) {
    throw new ValueError("zip() has arguments of different lengths");
  }
}

export function* enumerate(values, start = 0) {
  let n = start;
  for (const value of iter(values)) yield frozen([n++, value]);
}

export function range(first, last = null, step = 1) {
  if (step === 0) throw new ValueError("range() arg 3 must not be zero");
  const [from, to] = last === null ? [0, first] : [first, last];
  const count = Math.max(Math.ceil((to - from) / step), 0);
  const found = new Array(count);
  for (let n = 0; n < count; n++) found[n] = from + n * step;
  return found;
}

export function reversed(values) {
  return [...iter(values)].reverse();
}

export function any(values) {
  for (const value of iter(values)) if (truth(value)) return true;
  return false;
}

export function all(values) {
  for (const value of iter(values)) if (!truth(value)) return false;
  return true;
}

export function sum(values, start = 0) {
  let total = start;
  for (const value of iter(values)) total = add(total, value);
  return total;
}

function best(values, key, otherwise, better) {
  let [found, least] = [otherwise, undefined];
  for (const value of iter(values)) {
    const own = key === null ? value : key(value);
    if (least === undefined || better(own, least)) [found, least] = [value, own];
  }
  if (found === undefined) throw new ValueError("iterable argument is empty");
  return found;
}

export function min(values, key = null, otherwise = undefined) {
  return best(values, key, otherwise, less);
}

export function max(values, key = null, otherwise = undefined) {
  return best(values, key, otherwise, (one, other) => less(other, one));
}

// An iterator that remembers where it is.
export function iterator(values) {
  return iter(values)[Symbol.iterator]();
}

export function next(run, otherwise = undefined) {
  const { done, value } = run.next();
  if (!done) return value;
  if (otherwise === undefined) throw new StopIteration();
  return otherwise;
}

export function toList(values = []) {
  return typeof values === "string" && !isWide(values) ? values.split("") : [...iter(values)];
}

// A function that keeps what it has returned, by the values of its arguments.
export function cache(make) {
  const known = new Map();
  return (...given) => {
    const key = keyText(given);
    if (!known.has(key)) known.set(key, make(...given));
    return known.get(key);
  };
}

// Functions of itertools.
export const itertools = {
  *chain(...all) {
    for (const values of all) yield* iter(values);
  },
  *from_iterable(all) {
    for (const values of iter(all)) yield* iter(values);
  },
  *pairwise(values) {
    let before;
    for (const value of iter(values)) {
      if (before !== undefined) yield frozen([before, value]);
      before = value;
    }
  },
  *islice(values, first, last = undefined, step = 1) {
    const [from, to] = last === undefined ? [0, first] : [first ?? 0, last];
    let n = 0;
    const run = iterator(values);
    for (let at = from; to === null || at < to; at += step) {
      let found;
      do {
        found = run.next();
        if (found.done) return;
      } while (n++ < at);
      yield found.value;
    }
  },
  *groupby(values, key = (value) => value) {
    let group;
    for (const value of iter(values)) {
      const own = key(value);
      if (group !== undefined && eq(group[0], own)) {
        group[1].push(value);
        continue;
      }
      if (group !== undefined) yield frozen(group);
      group = [own, [value]];
    }
    if (group !== undefined) yield frozen(group);
  },
  *accumulate(values) {
    let total;
    for (const value of iter(values)) yield (total = total === undefined ? value : add(total, value));
  },
  *repeat(value, times = Infinity) {
    for (let n = 0; n < times; n++) yield value;
  },
  *count(start = 0, step = 1) {
    for (let n = start; ; n += step) yield n;
  },
  *takewhile(holds, values) {
    for (const value of iter(values)) {
      if (!truth(holds(value))) return;
      yield value;
    }
  },
};
