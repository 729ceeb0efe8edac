/**
 * The WebAssembly module: compiled once, JSON text in, JSON text out (`src/wasm.rs` is the other side). No files, no
 * network and no bundler features, so it runs wherever JavaScript has WebAssembly.
 */
import { WASM_BASE64 } from "../pkg/wasm";

/** What the module computes. */
export type ModuleFunction = "summarize" | "curve" | "between_runs" | "changes" | "overall";

type Exports = {
  memory: { buffer: ArrayBuffer };
  alloc(length: number): number;
  dealloc(pointer: number, length: number): void;
  summarize(pointer: number, length: number): bigint;
  curve(pointer: number, length: number): bigint;
  between_runs(pointer: number, length: number): bigint;
  changes(pointer: number, length: number): bigint;
  overall(pointer: number, length: number): bigint;
};

/** Neither ES2023 nor Node's types declare it, and the package must not ask its users for the DOM's. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/** WebAssembly memory grows and never shrinks: after a huge input the instance is dropped. */
const KEEP_BYTES = 64 * 1024 * 1024;

interface Loaded {
  /** The text that it was compiled from. */
  text: string;
  compiled: object;
  instance: Exports | null;
}
// A bundler may load this file several times (Next does); the module and its memory are there once a process.
const shared = globalThis as typeof globalThis & { __rigmarkStats?: Loaded };

function load(): Loaded {
  const known = shared.__rigmarkStats;
  if (known?.text === WASM_BASE64) return known;
  const bytes = Uint8Array.from(atob(WASM_BASE64), (char) => char.charCodeAt(0));
  const loaded: Loaded = { text: WASM_BASE64, compiled: new WebAssembly.Module(bytes), instance: null };
  shared.__rigmarkStats = loaded;
  return loaded;
}

function call(wasm: Exports, name: ModuleFunction, json: string): string {
  const bytes = new TextEncoder().encode(json);
  const input = wasm.alloc(bytes.length) >>> 0;
  new Uint8Array(wasm.memory.buffer, input, bytes.length).set(bytes);
  const packed = BigInt.asUintN(64, wasm[name](input, bytes.length));
  wasm.dealloc(input, bytes.length);
  // No BigInt literals: they would ask the importing program for a newer compile target.
  const pointer = Number(packed >> BigInt(32));
  const length = Number(BigInt.asUintN(32, packed));
  const text = new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, pointer, length));
  wasm.dealloc(pointer, length);
  return text;
}

/** JSON in, JSON out. After a trap (out of memory) it throws and the next call starts afresh. */
export function callModule(json: string, name: ModuleFunction = "summarize"): string {
  const loaded = load();
  const wasm = loaded.instance ?? (new WebAssembly.Instance(loaded.compiled).exports as Exports);
  // Kept only when the call comes back whole.
  loaded.instance = null;
  const text = call(wasm, name, json);
  loaded.instance = wasm.memory.buffer.byteLength > KEEP_BYTES ? null : wasm;
  return text;
}
