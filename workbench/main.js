/* Where the page begins; what computes is a script of its own, worker.js. */

import { openPage } from "./views/page.js";

export function start() {
  openPage();
}
