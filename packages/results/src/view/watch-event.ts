import { Environment, Id, Sha256 } from "@rigmark/protocol";
import { z } from "zod";
import { LogView, RunLight, SeriesPoint } from "./run";

/** What `run.watch` yields. Ids are `<attempt_no>:<journal seq>`; a reconnect continues behind the last one. */
export const WatchEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("run"), run: RunLight }),
  /** Once reported, and again where it is another: null when a new attempt has not reported its own. */
  z.object({ kind: z.literal("environment"), environment: Environment.nullable() }),
  /** New points of one trial, to be appended. */
  z.object({
    kind: z.literal("points"),
    trial_id: Id,
    entry_key: Sha256,
    points: z.array(SeriesPoint),
  }),
  z.object({ kind: z.literal("logs"), lines: z.array(LogView) }),
]);
export type WatchEvent = z.infer<typeof WatchEvent>;
