/* The tables of a TOML document while it is read, and what may no longer be added to them. */

export class NestedTable {
  constructor() {
    this.root = new Map();
  }

  /* Return the table behind a key, made if it is not there; null where something else is. */
  nest(key, throughLists = true) {
    let node = this.root;
    for (const part of key) {
      if (!node.has(part)) {
        node.set(part, new Map());
      }
      node = node.get(part);
      node = throughLists && Array.isArray(node) ? node.at(-1) : node;
      if (!(node instanceof Map)) {
        return null;
      }
    }
    return node;
  }

  /* Add a table to the list behind a key; tell whether that could be done. */
  append(key) {
    const nest = this.nest(key.slice(0, -1));
    const last = key.at(-1);
    if (nest === null || (nest.has(last) && !Array.isArray(nest.get(last)))) {
      return false;
    }
    nest.set(last, [...(nest.get(last) ?? []), new Map()]);
    return true;
  }
}

/* What keys must not be any more: `explicit`, opened by [table], and `frozen`, complete where it stands. */
export class Flags {
  #inner = new Map();
  #later = [];

  later(key, flag) {
    this.#later.push([key, flag]);
  }

  finish() {
    for (const [key, flag] of this.#later.splice(0)) {
      this.set(key, flag, false);
    }
  }

  unset(key) {
    let level = this.#inner;
    for (const part of key.slice(0, -1)) {
      if (!level.has(part)) {
        return;
      }
      level = level.get(part).inner;
    }
    level.delete(key.at(-1));
  }

  /* Set a flag of a key; a deep one holds for all below it too. */
  set(key, flag, deep) {
    let [level, node] = [this.#inner, null];
    for (const part of key) {
      if (!level.has(part)) {
        level.set(part, { own: new Set(), deep: new Set(), inner: new Map() });
      }
      node = level.get(part);
      level = node.inner;
    }
    node[deep ? "deep" : "own"].add(flag);
  }

  has(key, flag) {
    let level = this.#inner;
    for (const [place, part] of key.entries()) {
      const node = level.get(part);
      if (node === undefined) {
        return false;
      }
      if (node.deep.has(flag) || (place === key.length - 1 && node.own.has(flag))) {
        return true;
      }
      level = node.inner;
    }
    return false;
  }
}
