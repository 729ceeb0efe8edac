import { isWhole } from "./code-signature";
import type { Target } from "./targets";

/** The least of an executable's header that says what it runs on. */
export interface Program {
  os: "linux" | "macos";
  arch: "aarch64" | "x86_64" | "arm";
  /** The dynamic linker that it asks the system for; null where it needs none. On macOS every program has one. */
  loader: string | null;
  /** With a signature that holds for each page; `ad-hoc` is enough. Always false on Linux. */
  signed: boolean;
}

/** Why the program would not start on the target; null where it would. */
export function misfit(is: Program | null, { os, arch }: Pick<Target, "os" | "arch">): string | null {
  if (!is) return "it is not a program";
  if (is.os !== os || is.arch !== arch) return `it came out for ${is.os} on ${is.arch}`;
  // The linker signs for Apple silicon, which starts nothing unsigned; Intel asks for no signature.
  if (os === "macos" && arch === "aarch64" && !is.signed)
    return "it has no signature that holds for all of its pages, and Apple silicon starts nothing without";
  return null;
}

/** Null for what is neither an ELF file nor a Mach-O for one processor. */
export const readProgram = (data: Buffer): Program | null => readElf(data) ?? readMachO(data);

const ELF_MACHINES: Partial<Record<number, Program["arch"]>> = { 40: "arm", 62: "x86_64", 183: "aarch64" };
const PT_INTERP = 3;

/** ELF-64 Object File Format, System V ABI: header and program headers, of 32 and 64 bits, little-endian. */
function readElf(data: Buffer): Program | null {
  if (data.length < 64 || data.readUInt32BE(0) !== 0x7f454c46 || data[5] !== 1) return null;
  const arch = ELF_MACHINES[data.readUInt16LE(18)];
  if (!arch) return null;
  const wide = data[4] === 2;
  const at = wide ? Number(data.readBigUInt64LE(32)) : data.readUInt32LE(28);
  const size = data.readUInt16LE(wide ? 54 : 42);
  const count = data.readUInt16LE(wide ? 56 : 44);
  const headers = Array.from({ length: count }, (_, i) => at + i * size);
  const found = headers.find((header) => data.readUInt32LE(header) === PT_INTERP);
  if (found === undefined) return { os: "linux", arch, loader: null, signed: false };
  const from = wide ? Number(data.readBigUInt64LE(found + 8)) : data.readUInt32LE(found + 4);
  const loader = data.toString("latin1", from, data.indexOf(0, from));
  return { os: "linux", arch, loader, signed: false };
}

const MACHO_64 = 0xfeedfacf;
const MACHO_MACHINES: Partial<Record<number, Program["arch"]>> = {
  16777223: "x86_64",
  16777228: "aarch64",
};
const LC_LOAD_DYLINKER = 0xe;
const LC_CODE_SIGNATURE = 0x1d;

/** <mach-o/loader.h>: a header of 32 bytes, then load commands that each begin with their kind and size. */
function readMachO(data: Buffer): Program | null {
  if (data.length < 32 || data.readUInt32LE(0) !== MACHO_64) return null;
  const arch = MACHO_MACHINES[data.readUInt32LE(4)];
  if (!arch) return null;
  let loader: string | null = null;
  let signed = false;
  let at = 32;
  for (let left = data.readUInt32LE(16); left > 0; left -= 1) {
    const kind = data.readUInt32LE(at);
    const size = data.readUInt32LE(at + 4);
    const name = at + (kind === LC_LOAD_DYLINKER ? data.readUInt32LE(at + 8) : 0);
    if (kind === LC_LOAD_DYLINKER) loader = data.toString("latin1", name, data.indexOf(0, name));
    if (kind === LC_CODE_SIGNATURE) signed = isWhole(data, data.readUInt32LE(at + 8));
    at += size;
  }
  return { os: "macos", arch, loader, signed };
}
