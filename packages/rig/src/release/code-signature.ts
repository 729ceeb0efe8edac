import { createHash } from "node:crypto";

const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const SHA256 = 2;

/**
 * Does the signature at that place hold for the program as it is? <cs_blobs.h>: an index of blobs, one of which is the code
 * directory with a hash of each page. Apple silicon ends a program at the first page that has another one.
 */
export function isWhole(data: Buffer, at: number): boolean {
  try {
    if (data.readUInt32BE(at) !== SUPER_BLOB) return false;
    const blobs = Array.from({ length: data.readUInt32BE(at + 8) }, (_, i) =>
      data.readUInt32BE(at + 16 + 8 * i),
    );
    const directory = blobs.find((offset) => data.readUInt32BE(at + offset) === CODE_DIRECTORY);
    return directory !== undefined && pagesMatch(data, at + directory);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function pagesMatch(data: Buffer, directory: number): boolean {
  const hashes = directory + data.readUInt32BE(directory + 16);
  const count = data.readUInt32BE(directory + 28);
  const end = data.readUInt32BE(directory + 32);
  const size = data.readUInt8(directory + 36);
  const page = 2 ** data.readUInt8(directory + 39);
  if (data.readUInt8(directory + 37) !== SHA256 || count !== Math.ceil(end / page)) return false;
  return Array.from({ length: count }, (_, i) => i).every((i) => {
    const of = data.subarray(i * page, Math.min((i + 1) * page, end));
    const found = createHash("sha256").update(of).digest().subarray(0, size);
    return found.equals(data.subarray(hashes + i * size, hashes + (i + 1) * size));
  });
}
