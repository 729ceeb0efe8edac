import { gzipSync } from "node:zlib";

export interface TarFile {
  /** With forward slashes, without a leading one. */
  path: string;
  mode: 0o644 | 0o755;
  data: Buffer;
}

export const BLOCK = 512;

/**
 * A ustar archive, gzipped. The same files give the same bytes: sorted, owned by root, without times. With `folders` each
 * folder has an entry before its files, which dpkg asks for.
 */
export function tarGz(files: TarFile[], { folders = false } = {}): Buffer {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const blocks: Buffer[] = folders ? foldersOf(sorted).map((path) => header(path, 0o755, 0, "5")) : [];
  for (const file of sorted) {
    blocks.push(
      header(file.path, file.mode, file.data.length, "0"),
      file.data,
      Buffer.alloc((BLOCK - (file.data.length % BLOCK)) % BLOCK),
    );
  }
  blocks.push(Buffer.alloc(2 * BLOCK));
  const zipped = gzipSync(Buffer.concat(blocks), { level: 9 });
  zipped[9] = 255; // the header names the system that zipped; "unknown" everywhere
  return zipped;
}

function foldersOf(files: readonly TarFile[]): string[] {
  const found = new Set<string>();
  for (const { path } of files)
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1))
      found.add(path.slice(0, slash + 1));
  return [...found].sort();
}

/** `kind` is "0" for a file and "5" for a folder. */
export function header(path: string, mode: number, length: number, kind: "0" | "5"): Buffer {
  const { name, prefix } = split(path);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, size: number): void => {
    block.write(`${value.toString(8).padStart(size - 1, "0")}\0`, at, size, "ascii");
  };
  block.write(name, 0, 100, "utf8");
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(length, 124, 12);
  octal(0, 136, 12);
  block.write("        ", 148, 8, "ascii");
  block.write(kind, 156, 1, "ascii");
  block.write("ustar\x0000", 257, 8, "latin1");
  block.write("root", 265, 32, "ascii");
  block.write("root", 297, 32, "ascii");
  block.write(prefix, 345, 155, "utf8");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, 8, "ascii");
  return block;
}

/** ustar keeps 100 bytes of name and 155 of the folders before it. */
function split(path: string): { name: string; prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: "" };
  for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
    const prefix = path.slice(0, slash);
    const name = path.slice(slash + 1);
    if (Buffer.byteLength(name) <= 100 && Buffer.byteLength(prefix) <= 155) return { name, prefix };
  }
  throw new Error(`${path} is too long for an archive.`);
}
