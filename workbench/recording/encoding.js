// Bytes of a file as text: UTF-16 where its mark stands in front, else UTF-8, or Windows-1252 if it is not that.

// Letters of Windows-1252 from 0x80 on; a blank stands for what it lacks. Decoders of some engines take Latin-1 for it.
const LETTERS = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";
const [FIRST, LAST, BLANK] = [0x80, 0x9f, 0x20];

const PIECE = 2 ** 16; // code units: a text of that size is gone as soon as it is not needed

function decoded(bytes, encoding, ignoreBOM = false) {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    return null;
  }
}

// What decodes pieces of bytes in an encoding of Unicode; only the first one may have a mark in front.
function unicode(encoding) {
  return (bytes, at) => decoded(bytes, encoding, at > 0);
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

// The text of a file, which is never in the memory as a whole unless somebody asks for that: `encoding` as Python calls
// it, null where the file is none.
export class Text {
  constructor(bytes, most = PIECE) {
    const [a, b, c] = bytes;
    const little = a === 0xff && b === 0xfe, big = a === 0xfe && b === 0xff;
    this.bytes = bytes;
    this.most = most;
    this.width = little || big ? 2 : 1; // bytes of a code unit
    this.low = big ? 1 : 0; // the place of the low one among them
    if (little || big) this.become("utf-16", unicode(little ? "utf-16le" : "utf-16be"));
    else {
      this.become(a === 0xef && b === 0xbb && c === 0xbf ? "utf-8-sig" : "utf-8", unicode("utf-8"));
      if (this.encoding === null) this.become("cp1252", western);
    }
  }

  become(encoding, decode) {
    this.pieces = () => this.parts(decode);
    this.encoding = encoding;
    for (const piece of this.pieces()) {
      if (piece === null) {
        this.encoding = null;
        return;
      }
    }
  }

  // pieces of bytes that end with lines, the last one wherever the file does, as `decode` reads them
  *parts(decode) {
    const { bytes, most, width } = this;
    for (let at = 0, end; at < bytes.length || at === 0; at = end) {
      end = this.lineEnd(at, at + most * width);
      yield decode(bytes.subarray(at, end), at);
      if (end === bytes.length) return;
    }
  }

  // where the last line ends that ends between two places, or the first one after them
  lineEnd(first, last) {
    const { length } = this.bytes, { width } = this;
    if (last >= length) return length;
    for (let at = last; at > first; at -= width) if (this.ends(at)) return at;
    for (let at = last; at < length; at += width) if (this.ends(at)) return at;
    return length;
  }

  ends(at) {
    const before = this.unit(at - this.width);
    return before === 10 || (before === 13 && this.unit(at) !== 10);
  }

  unit(at) {
    const { bytes, low } = this;
    return this.width === 1 ? bytes[at] : bytes[at + low] | (bytes[at + 1 - low] << 8);
  }

  // its first letters, at least so many
  head(count) {
    let found = "";
    for (const piece of this.pieces()) {
      found += piece;
      if (found.length >= count) break;
    }
    return found.slice(0, count);
  }

  // how many lines it has at most
  lines() {
    let count = 1;
    for (let at = this.width; at <= this.bytes.length; at += this.width) if (this.ends(at)) count++;
    return count;
  }
}
