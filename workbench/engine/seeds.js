// Random numbers of networks: the seed of a signal follows from that of the scenario and its name.

import { crc32 } from "./checksum.js";

// couplant.cosim.wiring.network.signal_seed
export function signalSeed(seed, signal) {
  return crc32(new TextEncoder().encode(`${seed}/${signal}`)) & 0x7fffffff;
}
