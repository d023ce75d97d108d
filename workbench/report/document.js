/* A page of text, tables and charts. */

import { addCopyButtons } from "./copy.js";
import { drawCharts } from "./figures.js";

export function start() {
  drawCharts();
  addCopyButtons();
}
