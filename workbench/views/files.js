/* Recordings that a reader opens or drops: what is too large is refused by its head, the worker reads the others. */

import { SHORTEST } from "../analysis/resample.js";
import { element } from "./parts.js";

const LARGEST = 200e6;
const MOST_ROWS = 2e6;
const HEAD = 65536;

/* A chooser of files; `told` is given the recordings that could be read, errors stand below it as sentences. */
export class Files {
  constructor(place, client, told) {
    Object.assign(this, { client, told });
    this.input = element("input", { type: "file", multiple: "", id: "field-recording-files" });
    this.wrong = element("p", { class: "wrong", role: "alert" });
    const name = element("label", { for: "field-recording-files" }, ["open files, or drop them here"]);
    this.root = element("div", { class: "field files" }, [name, this.input, this.wrong]);
    this.input.addEventListener("change", () => this.open([...this.input.files]));
    place.addEventListener("dragover", (event) => {
      event.preventDefault();
      place.classList.add("dropping");
    });
    for (const name of ["dragleave", "drop"]) place.addEventListener(name, () => place.classList.remove("dropping"));
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      this.open([...event.dataTransfer.files]);
    });
  }

  async open(files) {
    const wrong = [], wanted = [];
    for (const file of files) {
      const words = await refused(file);
      if (words) wrong.push(words);
      else wanted.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
    }
    this.input.value = "";
    this.wrong.textContent = wrong.join(" ");
    const read = [];
    if (wanted.length) this.client.ask("read", wanted, (part) => this.hear(part, read, wanted.length));
  }

  hear(part, read, count) {
    const found = part.error ? part : sound(part);
    read.push(found);
    if (found.error) this.wrong.textContent = `${this.wrong.textContent} ${found.error}`.trim();
    const good = read.filter((one) => !one.error);
    if (read.length === count && good.length) this.told(good);
  }
}

/* A recording with the channels that are long enough, or a sentence. */
function sound(recording) {
  const known = ({ value }) => value.reduce((count, one) => count + (Number.isFinite(one) ? 1 : 0), 0);
  const channels = recording.channels.filter((one) => known(one) >= SHORTEST);
  if (!channels.length) return { error: `${recording.name}: no channel with at least ${SHORTEST} numbers.` };
  return { ...recording, channels };
}

/* Returns a sentence for a file that is too large, nothing for others. */
async function refused(file) {
  const other = `couplant try ${file.name} reads it.`;
  const size = `${(file.size / 1e6).toFixed(0)} MB`;
  if (file.size > LARGEST) return `${file.name} has ${size}, allowed ${LARGEST / 1e6} MB; ${other}`;
  const head = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  const lines = head.reduce((count, one) => count + (one === 10 ? 1 : 0), 0), rows = (lines * file.size) / head.length;
  return rows > MOST_ROWS ? `${file.name} has about ${rows.toExponential(1)} rows, allowed ${MOST_ROWS}; ${other}` : "";
}
