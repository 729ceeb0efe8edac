import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";
import { BLOCK, header } from "../release/tar";

/** A folder (null), or a file by its bytes or opened. */
export interface Entry {
  path: string;
  content: FileHandle | Buffer | null;
}

export interface Packed {
  /** As the archive has it, without a slash at the end. */
  path: string;
  isFolder: boolean;
  /** To be read before the next entry is asked for. */
  pieces: AsyncIterable<Buffer>;
}

const PIECE_BYTES = 64 * 1024;
const missing = (length: number): number => (BLOCK - (length % BLOCK)) % BLOCK;

/** Fast rather than small: PostgreSQL keeps all of its WAL meanwhile. On the disk when it returns. */
export const writeArchive = (out: FileHandle, entries: AsyncIterable<Entry>): Promise<void> =>
  pipeline(
    blocksOf(entries),
    createGzip({ level: constants.Z_BEST_SPEED }),
    out.createWriteStream({ flush: true }),
  );

async function* blocksOf(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const { path, content } of entries) {
    if (content === null) yield header(`${path}/`, 0o700, 0, "5");
    else if (Buffer.isBuffer(content)) {
      yield header(path, 0o600, content.length, "0");
      yield Buffer.concat([content, Buffer.alloc(missing(content.length))]);
    } else yield* blocksOfFile(path, content);
  }
  yield Buffer.alloc(2 * BLOCK);
}

/** As long as it is now: what is added or cut off meanwhile is in the WAL of a running PostgreSQL. */
async function* blocksOfFile(path: string, file: FileHandle): AsyncGenerator<Buffer> {
  const { size } = await file.stat();
  yield header(path, 0o600, size, "0");
  for (let at = 0; at < size; ) {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    const got = bytesRead === 0 ? piece : piece.subarray(0, bytesRead);
    yield got;
    at += got.length;
  }
  if (missing(size) > 0) yield Buffer.alloc(missing(size));
}

/** What `writeArchive` wrote. Ends only after the checksum was right. */
export async function* readArchive(file: string): AsyncGenerator<Packed> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  // What goes wrong in it is thrown by the next chunk, too.
  pipeline(createReadStream(file), gunzip).catch(() => undefined);
  const chunks: AsyncIterator<Buffer> = gunzip[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function take(length: number): Promise<Buffer> {
    while (rest.length < length) {
      const next = await chunks.next();
      if (next.done) throw new Error("it ends in the middle");
      rest = Buffer.concat([rest, next.value]);
    }
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    return taken;
  }

  async function* pieces(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      const piece = await take(Math.min(left, PIECE_BYTES));
      left -= piece.length;
      yield piece;
    }
    await take(missing(length));
  }

  try {
    for (;;) {
      const block = await take(BLOCK);
      if (block.every((byte) => byte === 0)) break;
      const { path, isFolder, length } = parse(block);
      yield { path, isFolder, pieces: pieces(length) };
    }
    let end = await chunks.next();
    while (!end.done) end = await chunks.next();
  } finally {
    gunzip.destroy();
  }
}

function parse(block: Buffer): { path: string; isFolder: boolean; length: number } {
  const text = (from: number, to: number): string => block.toString("latin1", from, to).split("\0")[0] ?? "";
  const prefix = text(345, 500);
  const path = prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`;
  const kind = text(156, 157);
  const length = Number.parseInt(text(124, 136), 8);
  if (text(257, 262) !== "ustar" || !Number.isInteger(length)) throw new Error("it is no backup of Rigmark");
  if (kind !== "0" && kind !== "5") throw new Error(`${path} in it is neither a file nor a folder`);
  return { path: path.replace(/\/$/, ""), isFolder: kind === "5", length: kind === "5" ? 0 : length };
}
