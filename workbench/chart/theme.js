/* Colours as the page is shown: light, dark, or on paper, which is light. */

export const FONT = '12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

const known = { palette: null, dark: null, printed: null, onPaper: false };

/* Takes the colours of both themes; `changed` is called when the reader changes from one to the other. */
export function usePalette(palette, changed) {
  known.palette = palette;
  known.dark = window.matchMedia("(prefers-color-scheme: dark)");
  known.printed = window.matchMedia("print");
  known.dark.addEventListener("change", changed);
}

/* Calls `draw` before the page is printed and after it, with whether it is for paper. */
export function usePaper(draw) {
  const turn = (on) => () => { known.onPaper = on; draw(on); };
  window.addEventListener("beforeprint", turn(true));
  window.addEventListener("afterprint", turn(false));
}

export function isOnPaper() {
  return known.onPaper;
}

export function shade(name) {
  const colours = known.palette[known.dark.matches && !known.printed.matches && !known.onPaper ? "dark" : "light"];
  return colours[name] ?? colours.linear;
}
