/* The side of the page that computes. A question is left unfinished as soon as a newer one of its channel is there. */

import { heard } from "./analysis/paced.js";
import { recordings } from "./analysis/reading.js";
import { compared, estimated, inspected } from "./analysis/recording.js";
import { systemRuns } from "./analysis/system.js";
import { compileModules } from "./engine/run.js";

const JOBS = { system: systemRuns, inspect: inspected, recording: estimated, table: compared, read: recordings };

const mind = { begin: null, waiting: new Map(), running: false };
const engine = new Promise((resolve) => { mind.begin = resolve; });

export function serve(scope) {
  scope.onmessage = ({ data: message }) => {
    if (message.channel === "begin") {
      mind.begin(compileModules(message.bytes).then((modules) => ({ modules, data: message.data })));
      return;
    }
    mind.waiting.set(message.channel, message);
    if (!mind.running) work(scope);
  };
}

async function work(scope) {
  mind.running = true;
  while (mind.waiting.size) {
    const [message] = mind.waiting.values();
    mind.waiting.delete(message.channel);
    await answer(scope, message);
  }
  mind.running = false;
}

async function answer(scope, { channel, id, request }) {
  const stop = () => mind.waiting.has(channel);
  try {
    for await (const part of JOBS[channel](await engine, request, stop)) {
      scope.postMessage({ channel, id, part });
      await heard();
      if (stop()) return;
    }
  } catch (error) {
    scope.postMessage({ channel, id, part: { error: error.message } });
  }
}
