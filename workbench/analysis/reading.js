/* Files that a reader has opened, read one after the other. */

import { readRecording } from "../recording/read.js";
import { heard } from "./paced.js";

/* Yields for each of { name, bytes } its recording, or { error }: a sentence. */
export async function* recordings(engine, files, stop) {
  for (const { name, bytes } of files) {
    yield read(bytes, name);
    await heard();
    if (stop()) return;
  }
}

/* What a reader of files does not foresee is a sentence too, so that the other files are read. */
function read(bytes, name) {
  try {
    return readRecording(bytes, name);
  } catch (error) {
    return { error: `${name} cannot be read here: ${error.message}.` };
  }
}
