// The FMU of a signal: the entries and the token of what `couplant build` writes from the same settings.

import { Around } from "../python/couplant.pack.describe.shown.js";
import { Packed, read_member, zip_files } from "../python/couplant.pack.archive.zipped.js";
import { coupling_plan, identify, native_capabilities, whole } from "../python/couplant.pack.plan.js";
import { UsageError } from "../python/couplant.base.errors.js";
import { left_to_command } from "../python/workbench.build.taken.js";
import { runtime_settings } from "../python/couplant.pack.settings.js";
import { Dict } from "../python/containers.js";
import { writeBy } from "./libraries.js";
import { referenceRun } from "./reference.js";

const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

// Return the file name and the bytes of the FMU of a signal of checked settings.
//
// `fmi` is "2" or "3"; `platforms` are names of some whose binaries are in `files`, which `workbench.build.take` put
// into the page; `tables` are those of the settings, `module` is the compiled kernel. What the page does not write is an
// error with the sentence of `left_to_command`.
export async function buildFmu({ checked, signal, fmi, platforms, files, tables, module }) {
  const why = left_to_command(checked, signal);
  if (why !== "") {
    throw new UsageError(why);
  }
  writeBy(tables);
  const settings = runtime_settings(checked, signal);
  const plan = coupling_plan(checked, signal, settings, native_capabilities(settings, fmi), referenceRun(module));
  const { digest, frame, licences, icons, binaries } = files[fmi];
  const { name } = plan.description;
  const runs = platforms.map((platform) => {
    const { folder, suffix, content } = binaries[platform];
    return [`binaries/${folder}/${name}${suffix}`, read_member(bytesOf(content))];
  });
  const pictures = Object.entries(icons).map(([picture, content]) => [picture, bytesOf(content)]);
  const around = new Around(frame, licences, new Dict(pictures));
  const entries = whole(plan, fmi, identify(plan, fmi, digest), new Dict(runs), around);
  const packed = await Promise.all(Array.from(entries, async ([entry, one]) => [entry, await pack(one)]));
  return { name: `${name}.fmu`, bytes: Uint8Array.from(zip_files(new Dict(packed))) };
}

// binaries are packed since they were compiled
async function pack(content) {
  if (content instanceof Packed) {
    return content;
  }
  const stream = new Blob([Uint8Array.from(content)]).stream().pipeThrough(new CompressionStream("gzip"));
  return read_member(new Uint8Array(await new Response(stream).arrayBuffer()));
}
