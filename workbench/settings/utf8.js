/* Bytes of a file as text, and which byte is none of UTF-8: as Python tells it. */

const MARK = [0xef, 0xbb, 0xbf];

/* Return { text }, without a byte order mark, or { wrong }: the place of the byte that begins no letter. */
export function textOf(bytes) {
  const own = MARK.every((byte, n) => bytes[n] === byte) ? bytes.subarray(MARK.length) : bytes;
  const wrong = wrongByte(own);
  return wrong < 0 ? { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(own) } : { wrong };
}

function wrongByte(bytes) {
  let n = 0;
  while (n < bytes.length) {
    const [more, least, most] = followers(bytes[n]);
    for (let i = 1; i <= more; i += 1) {
      const byte = bytes[n + i];
      if (byte === undefined || byte < (i === 1 ? least : 0x80) || byte > (i === 1 ? most : 0xbf)) {
        return n;
      }
    }
    if (more < 0) {
      return n;
    }
    n += 1 + more;
  }
  return -1;
}

/* Return how many bytes follow a first one, -1 if it is none, and between which limits the next one is. */
function followers(byte) {
  if (byte < 0x80) {
    return [0, 0, 0];
  }
  if (byte < 0xc2 || byte > 0xf4) {
    return [-1, 0, 0];
  }
  if (byte < 0xe0) {
    return [1, 0x80, 0xbf];
  }
  if (byte < 0xf0) {
    return [2, byte === 0xe0 ? 0xa0 : 0x80, byte === 0xed ? 0x9f : 0xbf];
  }
  return [3, byte === 0xf0 ? 0x90 : 0x80, byte === 0xf4 ? 0x8f : 0xbf];
}
