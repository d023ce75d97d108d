/* A button at each text to paste. */

import { copyButton } from "../views/parts.js";

export function addCopyButtons() {
  for (const place of document.querySelectorAll(".copy")) {
    place.append(copyButton(() => place.querySelector("code").textContent));
  }
}

export function start() {
  addCopyButtons();
}
