// Bytes of a file as text: UTF-16 where its mark stands in front, else UTF-8, or Windows-1252 if it is not that.

// Letters of Windows-1252 from 0x80 on; a blank stands for what it lacks. Decoders of some engines take Latin-1 for it.
const LETTERS = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";
const [FIRST, LAST, BLANK] = [0x80, 0x9f, 0x20];

function decoded(bytes, encoding) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

// Text in Windows-1252, null if a byte stands for nothing.
function western(bytes) {
  const codes = new Uint16Array(bytes.length);
  for (let n = 0; n < bytes.length; n++) {
    const one = bytes[n];
    codes[n] = one < FIRST || one > LAST ? one : LETTERS.charCodeAt(one - FIRST);
    if (one >= FIRST && one <= LAST && codes[n] === BLANK) return null;
  }
  return decoded(codes, "utf-16le");
}

// Text and encoding as Python calls it; the text is null if there is none.
export function textOf(bytes) {
  const [a, b, c] = bytes;
  if (a === 0xff && b === 0xfe) return { text: decoded(bytes, "utf-16le"), encoding: "utf-16" };
  if (a === 0xfe && b === 0xff) return { text: decoded(bytes, "utf-16be"), encoding: "utf-16" };
  const marked = a === 0xef && b === 0xbb && c === 0xbf;
  const text = decoded(bytes, "utf-8");
  if (text === null) return { text: western(bytes), encoding: "cp1252" };
  return { text, encoding: marked ? "utf-8-sig" : "utf-8" };
}
