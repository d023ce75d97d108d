/* Pieces of the page: elements, buttons, texts to copy. */

const KEPT = 60e3; // milliseconds that a browser has to save a file

export function element(name, attributes = {}, children = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/* Changes a text that is read aloud when it changes, and only then. */
export function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/* A button; one that stays pressed or not has a state besides. */
export function button(name, title, action, pressed = null) {
  const state = pressed === null ? {} : { "aria-pressed": String(pressed) };
  const made = element("button", { type: "button", ...(title ? { title } : {}), ...state }, [name]);
  made.addEventListener("click", action);
  return made;
}

/* The mark of a line in a legend. */
export function mark(kind, stroke) {
  const made = element("i", { class: `key ${kind}` });
  made.style.setProperty("--own", stroke);
  return made;
}

/* A text to paste with a button that copies it; `code` of it is the element whose text changes. */
export function pasted(name) {
  const code = element("code");
  const pre = element("pre", { tabindex: "0", role: "region", "aria-label": name }, [code]);
  return { root: element("div", { class: "copy" }, [pre, copyButton(() => code.textContent)]), code };
}

/* A button that copies the text that `read` returns. */
export function copyButton(read) {
  const copy = button("copy", "", () => {
    const answer = (word) => { copy.textContent = word; setTimeout(() => { copy.textContent = "copy"; }, 1500); };
    copied(read()).then(() => answer("copied"), () => answer("not allowed"));
  });
  return copy;
}

/* Hands a file to the reader as a download, which needs no network. */
export function save(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const made = element("a", { href: address, download: name });
  document.body.append(made);
  made.click();
  made.remove();
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
}

function copied(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done ? Promise.resolve() : Promise.reject(new Error("refused"));
}

/* A table: names of its columns, and rows of texts or elements; those after the first are numbers. */
export function table(name, columns, rows) {
  const heads = columns.map((one, i) => element("th", { scope: "col", ...(i ? { class: "num" } : {}) }, [one]));
  const lines = rows.map(({ cells, chosen }) => element("tr", chosen ? { class: "focus" } : {}, cells.map((one, i) =>
    (i ? element("td", { class: "num" }, [one]) : element("th", { scope: "row" }, [one])))));
  const made = element("table", { class: "small" }, [element("thead", {}, [element("tr", {}, heads)]),
    element("tbody", {}, lines)]);
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, [made]);
}
