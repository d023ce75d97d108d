/* Files that a reader has opened, read one after the other. */

import { readRecording } from "../recording/read.js";
import { heard } from "./paced.js";

/* Yields for each file its recording, or { error }: a sentence. */
export async function* recordings(engine, files, stop) {
  for (const file of files) {
    yield await read(file);
    await heard();
    if (stop()) return;
  }
}

/* What a reader of files does not foresee is a sentence too, so that the other files are read. */
async function read(file) {
  const { name } = file;
  try {
    return readRecording(new Uint8Array(await file.arrayBuffer()), name);
  } catch (error) {
    return { error: `${name} cannot be read here: ${error.message}.` };
  }
}
