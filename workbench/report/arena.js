/* Standings and errors: a heading sorts the rows of its table, once more the other way round. */

import { button } from "../views/parts.js";
import { drawCharts } from "./figures.js";

function compare(a, b) {
  const [left, right] = [Number(a), Number(b)];
  return Number.isNaN(left) || Number.isNaN(right) ? a.localeCompare(b) : left - right;
}

function sort(head, place) {
  const table = head.closest("table"), rows = [...table.tBodies[0].rows];
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => row.cells[place].dataset.key;
  rows.sort((a, b) => (down ? -1 : 1) * compare(key(a), key(b)));
  table.tBodies[0].append(...rows);
}

export function start() {
  for (const head of document.querySelectorAll(".sorted th")) {
    const place = [...head.parentElement.children].indexOf(head);
    head.replaceChildren(button(head.textContent, "sort by this column", () => sort(head, place)));
  }
  drawCharts();
}
