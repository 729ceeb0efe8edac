import { z } from "zod";
import { HostFacts } from "../host";
import { Begin } from "../journal/record";
import { Count, Count32, Id, Name, Sha256 } from "../scalar";
import { RunState, StreamTotals } from "./attempt";

/** What a publication says first: the beginning of its file. The chunks follow, and must begin with the same record. */
export const PublicationHead = z.strictObject({
  begin: Begin,
  /** Of the file's `environment`; null where the run ended before there was one. */
  facts: HostFacts.nullable(),
  /** What the run is called here; null: as in the file. */
  title: z.string().trim().min(1).max(120).nullable(),
});

/** What is here of a stream. `digest` is rolling, over its chunks so far. */
const Kept = z.object({ next_seq: Count, digest: Sha256 });

export const Publication = z.object({
  /** Of the run, as in the file. */
  id: Id,
  state: RunState,
  /** Of the run's page. */
  url: z.string(),
  title: z.string(),
  host: z.object({ id: Id, name: Name }),
  published_by: z.string(),
  /** Nothing more can be added to it. */
  finished: z.boolean(),
  streams: z.object({ journal: Kept, raw: Kept }),
});

/** How many chunks the file has, and whether it ends before its run did. */
export const PublicationEnd = z.strictObject({
  streams: z.strictObject({ journal: StreamTotals, raw: StreamTotals }),
  /** The file has no last record. Its run becomes `incomplete`. */
  partial: z.boolean(),
});

/** Headers of a chunk: those of an agent, without the number of an attempt. */
export const PublicationChunk = z.object({ sha256: Sha256, records: Count32 });

export type PublicationHead = z.infer<typeof PublicationHead>;
export type Publication = z.infer<typeof Publication>;
export type PublicationEnd = z.infer<typeof PublicationEnd>;
