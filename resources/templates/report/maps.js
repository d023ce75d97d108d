"use strict";
/* What a cell of a map stands for, from the row it leads to: while the pointer or the keyboard is on it. */

const tip = document.getElementById("tip");
const headings = [...document.querySelectorAll("#medians th")].map((one) => one.textContent);

function shown(link) {
  const cells = [...document.querySelector(link.hash).children].slice(0, headings.length - 1);
  const lines = cells.map((cell, i) => {
    const line = document.createElement("div"), value = document.createElement("b");
    value.textContent = cell.textContent;
    line.append(`${headings[i]} `, value);
    return line;
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

document.addEventListener("mouseover", over);
document.addEventListener("focusin", over);
document.addEventListener("scroll", () => { tip.hidden = true; });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
