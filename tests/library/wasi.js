// Runs a program of WebAssembly with standard input and output: node wasi.js PROGRAM.
"use strict";
const { WASI } = require("node:wasi");
const wasi = new WASI({ version: "preview1", args: ["serve"], returnOnExit: true });
const program = new WebAssembly.Module(require("fs").readFileSync(process.argv[2]));
const instance = new WebAssembly.Instance(program, wasi.getImportObject());
process.exitCode = wasi.start(instance);
