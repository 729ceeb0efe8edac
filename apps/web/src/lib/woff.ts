import { inflateSync } from "node:zlib";

/** Characters of the basic plane that a WOFF typeface has a glyph for: its `cmap` table, in format 4. */
export function charactersOf(woff: Buffer): Set<number> {
  const cmap = tableOf(woff, "cmap");
  const found = new Set<number>();
  for (let i = 0; i < cmap.readUInt16BE(2); i += 1) {
    const at = cmap.readUInt32BE(4 + i * 8 + 4);
    if (cmap.readUInt16BE(at) !== 4) continue;
    const segments = cmap.readUInt16BE(at + 6) / 2;
    for (let segment = 0; segment < segments; segment += 1) {
      const end = cmap.readUInt16BE(at + 14 + segment * 2);
      const start = cmap.readUInt16BE(at + 16 + (segments + segment) * 2);
      for (let code = start; code <= end && code < 0xffff; code += 1) found.add(code);
    }
  }
  return found;
}

function tableOf(woff: Buffer, tag: string): Buffer {
  for (let i = 0; i < woff.readUInt16BE(12); i += 1) {
    const at = 44 + i * 20;
    if (woff.toString("latin1", at, at + 4) !== tag) continue;
    const [start, packed, whole] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(start, start + packed);
    return packed < whole ? inflateSync(bytes) : bytes;
  }
  throw new Error(`The typeface has no table ${tag}.`);
}
