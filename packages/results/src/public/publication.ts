import { Begin, HostFacts, Id, RunState, Sha256, Source, StreamTotals } from "@rigmark/protocol";
import { z } from "zod";
import { Address } from "./scalar";

/** What a publication says first: the beginning of its file. The chunks must begin with the same record. */
export const PublicationHead = z
  .strictObject({
    begin: Begin.meta({ id: "Begin", description: "Data of the file's first record." }),
    facts: HostFacts.meta({ id: "Facts", description: "What a machine is." })
      .nullable()
      .describe("Facts of the file's `environment`; null if the run ended before it had one."),
    title: z
      .string()
      .trim()
      .min(1)
      .max(120)
      .nullable()
      .describe("What the run is called; null: as in the file."),
    source: Source.nullable().optional().describe("Which commit was measured."),
  })
  .meta({ id: "PublicationHead" });
export type PublicationHead = z.infer<typeof PublicationHead>;

/** What is here of a stream. */
const Kept = z.object({
  next_seq: z.int().describe("Number of the chunk to send next."),
  digest: z
    .string()
    .describe(
      "Rolling, over the chunks so far: d(n+1) = sha256(d(n) ‖ sha256(chunk n)), d(0) = sha256 of nothing.",
    ),
});

export const Publication = z
  .object({
    id: Id,
    state: RunState,
    url: Address.describe("The run's page."),
    title: z.string(),
    host: z.object({ id: Id, name: z.string() }),
    published_by: z.string(),
    finished: z.boolean().describe("Nothing more can be added to it."),
    streams: z.object({ journal: Kept, raw: Kept }),
  })
  .meta({ id: "Publication" });
export type Publication = z.infer<typeof Publication>;

export const PublicationEnd = z
  .strictObject({
    streams: z.strictObject({ journal: StreamTotals, raw: StreamTotals }),
    partial: z.boolean().describe("The file has no last record; its run becomes `incomplete`."),
  })
  .meta({ id: "PublicationEnd" });
export type PublicationEnd = z.infer<typeof PublicationEnd>;

export const ChunkHeaders = z.object({
  "x-rigmark-sha256": Sha256.describe("Of the lines, before compression."),
  "x-rigmark-records": z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .describe("How many lines."),
});
export const ChunkTaken = z.object({ next_seq: z.int() }).meta({ id: "ChunkTaken" });
