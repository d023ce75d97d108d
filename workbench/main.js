/* Where the page begins, and in the worker, which is this same script without a document, the side that computes. */

import { serve } from "./worker.js";
import { openPage } from "./views/page.js";

export function start() {
  if (typeof document === "undefined") serve(self); else openPage();
}
