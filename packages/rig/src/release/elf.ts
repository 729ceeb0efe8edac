/** The least of ELF that says what a program runs on and whether it needs anything there. */
const MACHINES: Record<number, string> = { 62: "x86_64", 183: "aarch64" };
const PT_INTERP = 3;

export interface Elf {
  machine: string;
  /** Without an interpreter: no dynamic linker, no libc of the host. */
  isStatic: boolean;
}

/** Null for what is no 64-bit little-endian ELF file. */
export function readElf(data: Buffer): Elf | null {
  if (data.length < 64 || data.readUInt32BE(0) !== 0x7f454c46 || data[4] !== 2 || data[5] !== 1) return null;
  const machine = MACHINES[data.readUInt16LE(18)] ?? "unknown";
  const at = Number(data.readBigUInt64LE(32));
  const size = data.readUInt16LE(54);
  const count = data.readUInt16LE(56);
  const kinds = Array.from({ length: count }, (_, i) => data.readUInt32LE(at + i * size));
  return { machine, isStatic: !kinds.includes(PT_INTERP) };
}
