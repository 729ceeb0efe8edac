import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isDomainError } from "../src/index";
import { decodeChunk, parseRecords } from "../src/internal/decode-chunk";
import { sha256Hex } from "../src/internal/secret";

const golden = readFileSync(new URL("../../protocol/golden/journal.jsonl", import.meta.url));
const decode = (bytes: Uint8Array, records: number) =>
  decodeChunk("journal", { body: gzipSync(bytes), sha256: sha256Hex(bytes), records });

describe("a chunk", () => {
  it("of golden records is read whole", async () => {
    const decoded = await decode(golden, 12);
    expect(decoded).toMatchObject({ bytes: golden.length, firstRecordSeq: 0 });
    expect(decoded.records.map((r) => r.kind)).toContain("sample");
  });

  it.each([
    ["another count", golden, 13, /has 12 records, but its header says 13/],
    ["no line feed at its end", golden.subarray(0, -1), 12, /Line 12 does not end/],
    ["a cut record", Buffer.concat([golden.subarray(0, 40), Buffer.from("\n")]), 1, /Line 1 is not JSON/],
    ["bytes that are no UTF-8", Buffer.from([0xff, 0xfe, 0x0a]), 1, /not UTF-8/],
    ["nothing", Buffer.from(""), 0, /Line 1 does not end|empty/],
    [
      "a gap between its records",
      Buffer.from(
        golden
          .toString()
          .split("\n")
          .filter((_, i) => i !== 3)
          .join("\n"),
      ),
      11,
      /Line 4 has seq 4, but 3 was expected/,
    ],
  ])("with %s is refused in words", async (_, bytes, records, words) => {
    await expect(decode(bytes, records)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(words),
    });
  });

  it("never breaks anything, whatever its bytes are", () => {
    const mutated = fc
      .tuple(fc.nat(golden.length - 1), fc.uint8Array({ maxLength: 6 }), fc.nat(40))
      .map(([at, bytes, cut]) => Buffer.concat([golden.subarray(0, at), bytes, golden.subarray(at + cut)]));
    fc.assert(
      fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 400 })), (bytes) => {
        try {
          parseRecords(bytes, "journal");
        } catch (error) {
          expect(isDomainError(error) && error.code === "invalid").toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
