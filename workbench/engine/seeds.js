// Random numbers of networks: the seed of a signal follows from that of the scenario and its name.

function remainder(byte) {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) {
    rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  }
  return rest >>> 0;
}

// CRC-32 of a text, as zlib has it
export function crc32(text) {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc = remainder((crc ^ byte) & 255) ^ (crc >>> 8);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

// couplant.cosim.network.signal_seed
export function signalSeed(seed, signal) {
  return crc32(`${seed}/${signal}`) & 0x7fffffff;
}
