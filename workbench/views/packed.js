/* Bytes as texts: what the page carries packed, and texts that a link holds. */

const MOST = 1e6;

export function bytesOf(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/* Returns the bytes of what the page carries packed, by name. */
export async function unpacked(packed) {
  const found = {};
  for (const [name, text] of Object.entries(packed)) {
    found[name] = await through(bytesOf(text), new DecompressionStream("gzip"));
  }
  return found;
}

export function textOf(bytes) {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/* Returns a text as a link holds it: compressed, in base64 of letters that an address has. */
export async function linked(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate"));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/* Returns the text that a link holds; what was cut or is no text is an error. */
export async function unlinked(letters) {
  const bytes = bytesOf(letters.replaceAll("-", "+").replaceAll("_", "/"));
  return textOf(await through(bytes, new DecompressionStream("deflate"), MOST));
}

/* Bytes that passed a stream; more than `most` are an error, before they fill the memory. */
async function through(bytes, stream, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts = [];
  let size = 0;
  for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
    size += value.length;
    if (size > most) throw new RangeError("too long");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
