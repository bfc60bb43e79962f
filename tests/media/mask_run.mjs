// Runs a list of calls on a mask of the given size, and prints its alpha, and what an upload has in red.
import { readFileSync } from "node:fs";
const { width, height, calls } = JSON.parse(readFileSync(0, "utf8"));
const native = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[2]))).exports;
native.open(width, height);
for (const [name, ...args] of calls) native[name](...args);
const at = native.upload(0, 0, width, height, height & 1);
const bytes = new Uint8Array(native.memory.buffer, at, width * height * 4);
const channel = (offset) => Array.from({ length: width * height }, (_, i) => bytes[i * 4 + offset] / 255);
console.log(JSON.stringify({ alpha: channel(3), steepness: channel(0) }));
