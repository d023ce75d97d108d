/* The worker that computes: it is the script of this page, run without a document. Only the newest question counts. */

export class Client {
  constructor(failed) {
    this.newest = new Map();
    this.takers = new Map();
    this.asked = 0;
    const code = new Blob([document.getElementById("program").textContent], { type: "text/javascript" });
    const address = URL.createObjectURL(code);
    this.worker = new Worker(address);
    this.worker.addEventListener("error", (event) => { event.preventDefault(); failed(event.message); });
    this.worker.addEventListener("message", (event) => this.hear(event.data));
  }

  async begin(data, wasm) {
    this.worker.postMessage({ channel: "begin", data, bytes: await unpacked(wasm) });
  }

  /* Asks on a channel; `take(part)` hears all parts of the answer unless a newer question is asked there. */
  ask(channel, request, take) {
    const id = ++this.asked;
    this.newest.set(channel, id);
    this.takers.set(channel, take);
    this.worker.postMessage({ channel, id, request });
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

export function bytesOf(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

async function unpacked(wasm) {
  const found = {};
  for (const [name, text] of Object.entries(wasm)) {
    const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
    found[name] = new Uint8Array(await new Response(stream).arrayBuffer());
  }
  return found;
}
