/* A worker that computes. Only the newest question of a channel counts. */

export class Client {
  /* `failed(message)` hears that the worker cannot run. */
  constructor(failed) {
    this.failed = failed;
    this.newest = new Map();
    this.takers = new Map();
    this.asked = 0;
    this.early = [];
    this.worker = null;
    this.samples = null;
    this.code = null;
    this.other = null;
  }

  /* `code` is the script of the worker; questions that were asked before go to it now. */
  open(code) {
    this.code = code;
    this.worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    this.worker.addEventListener("error", (event) => { event.preventDefault(); this.failed(event.message); });
    this.worker.addEventListener("message", (event) => this.hear(event.data));
    for (const message of this.early) this.worker.postMessage(message);
  }

  /* What the worker needs before it answers anything. */
  begin(given) {
    this.worker.postMessage({ channel: "begin", ...given });
  }

  /* Asks on a channel; `take(part)` hears all parts of the answer unless a newer question is asked there. Samples that
     the question before had are not sent again: the worker still has them. */
  ask(channel, request, take) {
    const id = ++this.asked;
    this.newest.set(channel, id);
    this.takers.set(channel, take);
    const { samples } = request, known = samples && samples === this.samples;
    this.samples = samples ?? this.samples;
    this.send({ channel, id, request: known ? { ...request, samples: null } : request });
  }

  send(message) {
    if (this.worker) this.worker.postMessage(message);
    else this.early.push(message);
  }

  /* Asks in another worker of the same script, which ends with the last of so many parts, or once the next one is
     asked: what it used is free at once. It begins with nothing. */
  askApart(channel, request, parts, take) {
    if (!this.code) {
      this.ask(channel, request, take);
      return;
    }
    this.other?.close();
    const other = new Client(this.failed);
    this.other = other;
    other.open(this.code);
    other.begin({ bytes: {} });
    other.ask(channel, request, (part) => {
      parts -= 1;
      if (!parts) other.close();
      take(part);
    });
  }

  /* No answer on a channel is heard any more, nor worked out. */
  drop(channel) {
    if (this.newest.delete(channel)) this.send({ channel, request: null });
  }

  close() {
    this.worker.terminate();
    this.newest.clear();
  }

  hear({ channel, id, part }) {
    if (this.newest.get(channel) === id) this.takers.get(channel)(part);
  }
}

/* Returns a sentence if this browser cannot show the page, else nothing. */
export function lacking() {
  const needed = { WebAssembly: "WebAssembly", Worker: "workers", DecompressionStream: "DecompressionStream" };
  const missing = Object.keys(needed).filter((name) => typeof globalThis[name] === "undefined");
  if (!missing.length) return "";
  return `This browser cannot run the workbench: it lacks ${missing.map((name) => needed[name]).join(" and ")}. ` +
    "Chrome and Edge 80, Firefox 113, Safari 16.4 and what came after them can.";
}
