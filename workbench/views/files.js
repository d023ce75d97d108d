/* Recordings that a reader opens or drops: what is too large is refused by its head, the worker reads the others. */

import { SHORTEST } from "../analysis/resample.js";
import { element } from "./parts.js";

const LARGEST = 200e6;
const MOST_ROWS = 2e6;
const PIECES = 16;
const PIECE = 16384;
const LONGER = 0.8; // least length of a row in the head over that in the rest
const LINE_FEED = 10;
const RETURN = 13;

/* A chooser of files; `told` is given the recordings that could be read, errors stand below it as sentences. `reading`
   is given the names of those that are being read, none in the end. */
export class Files {
  constructor(place, client, told, reading) {
    Object.assign(this, { client, told, reading });
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
      const words = await refused(file).catch(() => `${file.name} cannot be read.`);
      if (words) wrong.push(words);
      else wanted.push(file);
    }
    this.input.value = "";
    this.wrong.textContent = wrong.join(" ");
    const read = [];
    const { length } = wanted;
    this.reading(wanted.map(({ name }) => name));
    if (length) this.client.askApart("read", wanted, length, (part) => this.hear(part, read, length));
  }

  hear(part, read, count) {
    const found = part.error ? part : sound(part);
    read.push(found);
    if (found.error) this.wrong.textContent = `${this.wrong.textContent} ${found.error}`.trim();
    const good = read.filter((one) => !one.error);
    if (read.length < count) return;
    this.reading([]);
    if (good.length) this.told(good);
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
  const rows = await rowsOf(file), told = `about ${(rows / 1e6).toFixed(2)} million rows`;
  return rows > MOST_ROWS ? `${file.name} has ${told}, allowed ${MOST_ROWS / 1e6} million; ${other}` : "";
}

/* About how many rows a file has, by pieces of it, the head first: numbers of a time get longer on the way. */
async function rowsOf(file) {
  let lines = 0, letters = 0, least = 0;
  for (let i = 0; i < PIECES; i++) {
    const from = Math.trunc((i * file.size) / PIECES), end = Math.min(from + PIECE, file.size);
    const bytes = new Uint8Array(await file.slice(from, end).arrayBuffer());
    const ends = (code) => bytes.reduce((count, one) => count + (one === code ? 1 : 0), 0);
    lines += Math.max(ends(LINE_FEED), ends(RETURN));
    letters += bytes.length;
    if (i === 0) least = LONGER * lines / Math.max(letters, 1);
  }
  return Math.max(least, lines / Math.max(letters, 1)) * file.size;
}
