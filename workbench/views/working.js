/* A line that tells what is being computed and how much of it is done; it is empty while nothing is. */

import { element } from "./parts.js";

export class Working {
  constructor() {
    this.bar = element("progress", { "aria-label": "done" });
    this.text = element("span");
    this.root = element("p", { class: "working idle" }, [this.bar, this.text]);
  }

  /* `done` of `all`, where that is known. */
  tell(text, done = 0, all = 0) {
    this.text.textContent = `${text} …`;
    this.bar.max = all || 1;
    if (all) this.bar.value = done;
    else this.bar.removeAttribute("value");
    this.root.classList.remove("idle");
  }

  end() {
    this.root.classList.add("idle");
  }
}
