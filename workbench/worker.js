/* What computes: a worker for runs of coupled systems and recordings, another one that checks settings and writes FMUs.
   Both have this script; what they begin with tells which questions they can answer. */

import { recordings } from "./analysis/reading.js";
import { Designs } from "./analysis/designs.js";
import { compared, completed, estimated, inspected, lookAhead } from "./analysis/recording.js";
import { systemRuns } from "./analysis/system.js";
import { compileModules } from "./engine/run.js";
import { Server } from "./serving.js";
import { Settings } from "./settings/settings.js";
import { built, checked } from "./take/jobs.js";

const JOBS = {
  system: systemRuns, inspect: inspected, recording: estimated, table: compared, whole: completed, ahead: lookAhead,
  read: recordings, check: checked, build: built,
};
const SPARE = { whole: 0, ahead: 1000 };

/* Arrays that nobody needs here once they are told. */
const HANDED = {
  recording: ({ received, estimate, skill }) => (estimate ? [received, estimate, skill] : []),
  whole: ({ received, estimate, skill }) => (received ? [received, estimate, skill] : []),
  read: ({ channels = [] }) => channels.flatMap(({ time, value }) => [time, value]),
};

/* `bytes` are modules of WebAssembly, `settings` what is said of keys; `data` is for runs, `files` are for FMUs. What
   reads recordings needs none of them. */
async function begun({ bytes, settings = null, data = null, files = null }) {
  const modules = await compileModules(bytes), checks = settings && new Settings(settings);
  return { modules, data, files, settings: checks, tables: settings?.tables, designs: new Designs() };
}

export function start() {
  return new Server(self, JOBS, begun, HANDED, SPARE);
}
