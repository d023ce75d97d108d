/* What no recording tells: how late it arrives, and which tool steps the FMU. Nothing is claimed before. */

import { number } from "../chart/numbers.js";
import { Choice, numberIn } from "./fields.js";
import { limits } from "./latency.js";
import { element } from "./parts.js";

export class Questions {
  /* `hosts` are { name, label }, the first one for those who do not know; `answered(latency [ms], host)` is told. */
  constructor(hosts, answered) {
    Object.assign(this, { hosts, answered });
    const told = { inputmode: "decimal", autocomplete: "off", "aria-describedby": "question-wrong" };
    this.latency = element("input", { type: "text", id: "question-latency", ...told });
    this.wrong = element("p", { class: "wrong", id: "question-wrong", role: "alert" });
    const late = element("label", { for: "question-latency" }, ["How late does it arrive, in ms?"]);
    this.host = new Choice({ key: "question-host", label: "Which tool steps the FMU?", options: hosts }, () => {});
    this.root = element("form", { class: "questions", "aria-label": "Questions", hidden: "" }, [
      element("div", { class: "field" }, [late, this.latency]), this.host.root,
      element("button", { type: "submit", class: "main" }, ["Show"]), this.wrong ]);
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      this.take();
    });
  }

  /* Asks about a recording on macro steps [s], of which the latency may have so many; what is typed already stays. */
  ask(macroStep, most) {
    Object.assign(this, { macroStep, most });
    if (!this.root.hidden) return;
    this.root.hidden = false;
    this.latency.value = this.wrong.textContent = "";
    this.host.put(this.hosts[0].name);
    this.latency.focus();
  }

  end() {
    this.root.hidden = true;
  }

  take() {
    const value = numberIn(this.latency.value), { most } = limits(this.macroStep, this.most);
    const good = value >= 0 && value <= most;
    this.latency.setAttribute("aria-invalid", String(!good));
    if (good) {
      this.end();
      this.answered(value, this.host.select.value);
      return;
    }
    const steps = `${this.most} macro steps of ${number(this.macroStep, 6)} s`;
    this.wrong.textContent = `latency = ${this.latency.value.trim() || "nothing"}, allowed 0 to ${number(most)} ms` +
      `${value > most ? `: ${steps}. Set a longer macro step first.` : "."}`;
  }
}
