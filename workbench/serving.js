/* The side of the page that computes. A question is left unfinished as soon as a newer one of its channel is there; one
   for spare time makes way for any other, and begins again. */

import { heard } from "./analysis/paced.js";

/* A worker that answers by `jobs`, generators by channel; `begin` makes what they need of the first message. Arrays
   that `handed` tells of an answer, by channel, are not copied: the worker has them no longer. Samples stay until
   others come, for questions that have none. `spare` tells how long those channels wait that are for spare time [ms]. */
export class Server {
  constructor(scope, jobs, begin, handed = {}, spare = {}) {
    Object.assign(this, { scope, jobs, handed, spare, samples: null });
    this.newest = new Map();
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
    this.newest.set(message.channel, message);
    this.waiting.delete(message.channel);
    if (message.request === null) return; // nobody hears what was asked before
    this.samples = message.request.samples ?? this.samples;
    if (message.request.samples === null) message.request.samples = this.samples;
    this.enter(message);
  }

  enter(message) {
    const { channel } = message, wait = this.spare[channel];
    const queue = () => {
      if (this.newest.get(channel) !== message) return;
      this.waiting.set(channel, message);
      if (!this.running) this.work();
    };
    if (wait) setTimeout(queue, wait);
    else queue();
  }

  async work() {
    this.running = true;
    while (this.waiting.size) {
      const [channel] = [...this.waiting.keys()].sort((one, other) => this.rank(one) - this.rank(other));
      const message = this.waiting.get(channel);
      this.waiting.delete(channel);
      await this.answer(message);
    }
    this.running = false;
  }

  rank(channel) {
    return this.spare[channel] ?? -1;
  }

  async answer(message) {
    const { channel, id, request } = message, isOld = () => this.newest.get(channel) !== message;
    const stop = () => isOld() || [...this.waiting.keys()].some((other) => this.rank(other) < this.rank(channel));
    await this.tell(channel, id, request, stop);
    if (stop() && !isOld()) this.enter(message);
  }

  async tell(channel, id, request, stop) {
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
