/* The worker of the views that show runs: coupled systems, recordings. */

import { recordings } from "./analysis/reading.js";
import { compared, estimated, inspected } from "./analysis/recording.js";
import { systemRuns } from "./analysis/system.js";
import { compileModules } from "./engine/run.js";
import { Server } from "./serving.js";

const JOBS = { system: systemRuns, inspect: inspected, recording: estimated, table: compared, read: recordings };

async function begun({ bytes, data }) {
  return { modules: await compileModules(bytes), data };
}

export function serve(scope) {
  return new Server(scope, JOBS, begun);
}
