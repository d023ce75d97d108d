/* What a view is set to, and the link that holds it: #system&k=5&algorithm=foh names what differs from the start. */

const WAIT = 250;

/* Returns the view and the texts by key of the address. */
export function readLink(address) {
  const [view, ...pairs] = address.replace(/^#/, "").split("&").map(unescaped);
  const cut = pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  return { view, texts: Object.fromEntries(cut.filter(([key]) => key)) };
}

function unescaped(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/* Returns values like those of `start`, from texts that are sound; `about` says by key what is allowed. */
export function fromTexts(texts, start, about) {
  const values = { ...start };
  for (const [key, text] of Object.entries(texts)) {
    if (!Object.hasOwn(start, key) || !about[key]) continue;
    const { least, most, whole, options } = about[key];
    const value = options ? text : Number(text);
    const good = options
      ? options.some((one) => one.name === text)
      : text !== "" && value >= least && value <= most && (!whole || Number.isInteger(value));
    if (good) values[key] = value;
  }
  return values;
}

export function linkOf(view, values, start) {
  const changed = Object.keys(values).filter((key) => values[key] !== start[key]);
  return `#${[view, ...changed.map((key) => `${key}=${encodeURIComponent(values[key])}`)].join("&")}`;
}

const writing = { timer: 0 };

/* Browsers allow few changes of the address in a second. */
export function writeLink(link) {
  clearTimeout(writing.timer);
  writing.timer = setTimeout(() => { history.replaceState(null, "", link); }, WAIT);
}
