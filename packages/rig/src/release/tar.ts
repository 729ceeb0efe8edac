import { gzipSync } from "node:zlib";

export interface TarFile {
  /** With forward slashes, without a leading one. */
  path: string;
  mode: 0o644 | 0o755;
  data: Buffer;
}

const BLOCK = 512;

/** A ustar archive, gzipped. The same files give the same bytes: sorted, owned by root, without times. */
export function tarGz(files: TarFile[]): Buffer {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const blocks: Buffer[] = [];
  for (const file of sorted) {
    blocks.push(header(file), file.data, Buffer.alloc((BLOCK - (file.data.length % BLOCK)) % BLOCK));
  }
  blocks.push(Buffer.alloc(2 * BLOCK));
  const zipped = gzipSync(Buffer.concat(blocks), { level: 9 });
  zipped[9] = 255; // the header names the system that zipped; "unknown" everywhere
  return zipped;
}

function header({ path, mode, data }: TarFile): Buffer {
  const { name, prefix } = split(path);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, at: number, length: number): void => {
    block.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at, length, "ascii");
  };
  block.write(name, 0, 100, "utf8");
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(data.length, 124, 12);
  octal(0, 136, 12);
  block.write("        ", 148, 8, "ascii");
  block.write("0", 156, 1, "ascii");
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
