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
  }

  /* `code` is the script of the worker; questions that were asked before go to it now. */
  open(code) {
    this.worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    this.worker.addEventListener("error", (event) => { event.preventDefault(); this.failed(event.message); });
    this.worker.addEventListener("message", (event) => this.hear(event.data));
    for (const message of this.early) this.worker.postMessage(message);
  }

  /* What the worker needs before it answers anything. */
  begin(given) {
    this.worker.postMessage({ channel: "begin", ...given });
  }

  /* Asks on a channel; `take(part)` hears all parts of the answer unless a newer question is asked there. */
  ask(channel, request, take) {
    const id = ++this.asked;
    this.newest.set(channel, id);
    this.takers.set(channel, take);
    const message = { channel, id, request };
    if (this.worker) this.worker.postMessage(message);
    else this.early.push(message);
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
