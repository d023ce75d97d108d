/* Which word is meant by one that is misspelt: builder/couplant/config/frame/likeness.py, with the ratio of Python's difflib. */

const POPULAR_FROM = 200; // letters of a word from which difflib leaves out those that are frequent

/* Return what is most like a word, null if nothing is. */
export function closest(word, words, least = 0.6) {
  const other = [...word];
  const places = placesOf(other);
  let [found, most] = [null, least];
  for (const one of words) {
    const ratio = likeness([...one], other, places);
    const better = found === null ? ratio >= most : ratio > most || (ratio === most && isAfter(one, found));
    if (better) {
      [found, most] = [one, ratio];
    }
  }
  return found;
}

/* Of two that are as good difflib takes the one that comes later in the order of texts. */
function isAfter(one, other) {
  const [a, b] = [one, other].map((text) => Array.from(text, (letter) => letter.codePointAt(0)));
  const n = a.findIndex((code, i) => code !== b[i]);
  return n < 0 ? false : n >= b.length || a[n] > b[n];
}

function placesOf(letters) {
  const places = new Map();
  letters.forEach((letter, n) => places.set(letter, [...(places.get(letter) ?? []), n]));
  if (letters.length >= POPULAR_FROM) {
    const often = Math.floor(letters.length / 100) + 1;
    for (const [letter, at] of places) {
      if (at.length > often) {
        places.delete(letter);
      }
    }
  }
  return places;
}

function likeness(a, b, places) {
  const length = a.length + b.length;
  return length === 0 ? 1 : (2 * shared(a, b, places)) / length;
}

/* Return how many letters two words share: the longest piece that is in both, and so on left and right of it. */
function shared(a, b, places) {
  const waiting = [[0, a.length, 0, b.length]];
  let count = 0;
  while (waiting.length > 0) {
    const [aFrom, aTo, bFrom, bTo] = waiting.pop();
    const [i, j, size] = longest(a, b, places, [aFrom, aTo, bFrom, bTo]);
    if (size > 0) {
      count += size;
      waiting.push([aFrom, i, bFrom, j], [i + size, aTo, j + size, bTo]);
    }
  }
  return count;
}

function longest(a, b, places, [aFrom, aTo, bFrom, bTo]) {
  let [bestI, bestJ, size] = [aFrom, bFrom, 0];
  let before = new Map();
  for (let i = aFrom; i < aTo; i += 1) {
    const here = new Map();
    for (const j of places.get(a[i]) ?? []) {
      if (j >= bFrom && j < bTo) {
        const length = (before.get(j - 1) ?? 0) + 1;
        here.set(j, length);
        if (length > size) {
          [bestI, bestJ, size] = [i - length + 1, j - length + 1, length];
        }
      }
    }
    before = here;
  }
  while (bestI > aFrom && bestJ > bFrom && a[bestI - 1] === b[bestJ - 1]) {
    [bestI, bestJ, size] = [bestI - 1, bestJ - 1, size + 1]; // letters that are frequent join what was found
  }
  while (bestI + size < aTo && bestJ + size < bTo && a[bestI + size] === b[bestJ + size]) {
    size += 1;
  }
  return [bestI, bestJ, size];
}
