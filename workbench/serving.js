/* The side of the page that computes. A question is left unfinished as soon as a newer one of its channel is there. */

import { heard } from "./analysis/paced.js";

/* A worker that answers by `jobs`, generators by channel; `begin` makes what they need of the first message. Arrays
   that `handed` tells of an answer, by channel, are not copied: the worker has them no longer. Samples stay until
   others come, for questions that have none. */
export class Server {
  constructor(scope, jobs, begin, handed = {}) {
    Object.assign(this, { scope, jobs, handed, samples: null });
    this.waiting = new Map();
    this.running = false;
    this.begun = new Promise((resolve) => { this.start = (message) => resolve(begin(message)); });
    scope.onmessage = ({ data: message }) => this.take(message);
  }

  take(message) {
    if (message.channel === "begin") {
      this.start(message);
      return;
    }
    this.samples = message.request.samples ?? this.samples;
    if (message.request.samples === null) message.request.samples = this.samples;
    this.waiting.set(message.channel, message);
    if (!this.running) this.work();
  }

  async work() {
    this.running = true;
    while (this.waiting.size) {
      const [message] = this.waiting.values();
      this.waiting.delete(message.channel);
      await this.answer(message);
    }
    this.running = false;
  }

  async answer({ channel, id, request }) {
    const stop = () => this.waiting.has(channel);
    try {
      for await (const part of this.jobs[channel](await this.begun, request, stop)) {
        const buffers = (this.handed[channel]?.(part) ?? []).map((one) => one.buffer);
        this.scope.postMessage({ channel, id, part }, [...new Set(buffers)]);
        await heard();
        if (stop()) return;
      }
    } catch (error) {
      this.scope.postMessage({ channel, id, part: { error: error.message } });
    }
  }
}
