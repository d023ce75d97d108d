// Drives a module of `fmu_src/wasm`: node wasm.js MODULE. A command a line, an answer a line; numbers as their 64 bits.
"use strict";
const module_ = new WebAssembly.Module(require("fs").readFileSync(process.argv[2]));
const instance = new WebAssembly.Instance(module_, {});
const f = instance.exports;
const bytes = () => Buffer.from(f.memory.buffer);
const number = (word) => Buffer.from(word, "hex").readDoubleBE(0);
let self = 0;

function bits(value) {
  const eight = Buffer.alloc(8);
  eight.writeDoubleBE(value, 0);
  return eight.toString("hex");
}

// a text in the memory of the module, while `use` runs
function given(text, use) {
  const at = f.calloc(Buffer.byteLength(text) + 1, 1);
  bytes().write(text, at);
  const answer = use(at);
  f.free(at);
  return answer;
}

// the saved state, as bytes; four words in memory are for a pointer and a size
function saved() {
  const words = f.calloc(4, 4);
  f.fmi3GetFMUState(self, words);
  const state = bytes().readUInt32LE(words);
  f.fmi3SerializedFMUStateSize(self, state, words + 8);
  const size = bytes().readUInt32LE(words + 8);
  const at = f.calloc(size, 1);
  f.fmi3SerializeFMUState(self, state, at, size);
  const found = bytes().toString("hex", at, at + size);
  f.fmi3FreeFMUState(self, words);
  [words, at].forEach(f.free);
  return found;
}

function restore(text) {
  const size = text.length / 2;
  const words = f.calloc(4, 4);
  const at = f.calloc(size, 1);
  bytes().write(text, at, "hex");
  let status = f.fmi3DeserializeFMUState(self, at, size, words);
  status ||= f.fmi3SetFMUState(self, bytes().readUInt32LE(words));
  f.fmi3FreeFMUState(self, words);
  [words, at].forEach(f.free);
  return status;
}

// an array in the memory of the module, while `use` runs
function listed(numbers, use) {
  const at = f.calloc(numbers.length, numbers.BYTES_PER_ELEMENT);
  new numbers.constructor(f.memory.buffer, at, numbers.length).set(numbers);
  const answer = use(at);
  f.free(at);
  return answer;
}

// references and values in turn
function write(words) {
  const references = Uint32Array.from(words.filter((_, i) => i % 2 === 0), Number);
  const values = Float64Array.from(words.filter((_, i) => i % 2 === 1), number);
  return listed(references, (a) => listed(values, (b) => f.couplant_write(self, a, references.length, b)));
}

function read(words) {
  const references = Uint32Array.from(words, Number);
  const n = references.length;
  const found = (a, b) => (f.couplant_read(self, a, n, b) === 0 ? [...new Float64Array(f.memory.buffer, b, n)] : []);
  const values = listed(references, (a) => listed(new Float64Array(n), (b) => found(a, b)));
  return values.length === n ? values.map(bits).join(" ") : "refused";
}

const commands = {
  imports: () => WebAssembly.Module.imports(module_).length,
  exports: () => Object.keys(f).join(" "),
  size: () => f.memory.buffer.byteLength,
  open: (token, text) => {
    const settings = Buffer.from(text, "hex").toString();
    self = given(token, (a) => given(settings, (b) => f.couplant_open(a, b)));
    return self === 0 ? 0 : 1;
  },
  begin: (start) => f.fmi3EnterInitializationMode(self, 0, 0, number(start), 0, 0) || f.fmi3ExitInitializationMode(self),
  reference: (name) => given(name, (at) => f.couplant_reference(self, at)),
  set: (reference, value) => f.couplant_set(self, Number(reference), number(value)),
  get: (reference) => bits(f.couplant_get(self, Number(reference))),
  write: (...words) => write(words),
  read: (...words) => read(words),
  step: (t, h) => f.couplant_step(self, number(t), number(h)),
  log: () => {
    const at = f.couplant_log();
    return JSON.stringify(bytes().toString("utf8", at, bytes().indexOf(0, at)));
  },
  save: saved,
  restore,
  free: () => f.fmi3FreeInstance(self) ?? 0,
};

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, ...words] = line.split(" ");
  process.stdout.write(`${commands[command](...words)}\n`);
});
