/* What a cell of a map stands for, from the row it leads to: while the pointer or the keyboard is on it. */

import { addCopyButtons } from "./copy.js";
import { element } from "../views/parts.js";

const tip = document.getElementById("tip");
const headings = [...document.querySelectorAll("#medians th")].map((one) => one.textContent);

function shown(link) {
  const cells = [...document.querySelector(link.hash).children].slice(0, headings.length - 1);
  const lines = cells.map((cell, i) => {
    return element("div", {}, [`${headings[i]} `, element("b", {}, [cell.textContent])]);
  });
  tip.replaceChildren(...lines);
  tip.hidden = false;
  const place = link.getBoundingClientRect(), own = tip.getBoundingClientRect();
  const below = place.bottom + own.height + 8 < window.innerHeight;
  tip.style.left = `${Math.max(Math.min(place.left, window.innerWidth - own.width - 8), 8)}px`;
  tip.style.top = `${below ? place.bottom + 6 : Math.max(place.top - own.height - 6, 8)}px`;
}

function over(event) {
  const link = event.target.closest(".map td")?.querySelector("a");
  if (link) shown(link); else tip.hidden = true;
}

export function start() {
  document.addEventListener("mouseover", over);
  document.addEventListener("focusin", over);
  document.addEventListener("scroll", () => { tip.hidden = true; });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
  addCopyButtons();
}
