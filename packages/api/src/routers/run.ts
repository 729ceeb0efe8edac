import {
  RawFiles,
  RunCancelled,
  RunCreated,
  RunLogs,
  RunOptions,
  RunPage,
  RunSeries,
  RunView,
  type WatchEvent,
} from "@rigmark/domain/views";
import { Id, RunSpec } from "@rigmark/protocol";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { z } from "zod";
import { InWorkspace, OfHost, OfRun } from "../input";
import { notBuilt, notBuiltStream, procedure, router } from "../trpc";

export const run = router({
  options: procedure.input(OfHost).output(RunOptions).query(notBuilt),
  create: procedure
    .input(OfHost.extend({ spec: RunSpec }))
    .output(RunCreated)
    .mutation(notBuilt),
  list: procedure
    .input(
      InWorkspace.extend({
        cursor: z.string().max(200).nullish(),
        limit: z.int().min(1).max(100).default(30),
        hostId: Id.optional(),
      }),
    )
    .output(RunPage)
    .query(notBuilt),
  get: procedure.input(OfRun).output(RunView).query(notBuilt),
  series: procedure
    .input(OfRun.extend({ trialId: Id.optional(), maxPoints: z.int().min(10).max(5000).default(600) }))
    .output(RunSeries)
    .query(notBuilt),
  /** Newest lines last. Without `before`: the tail. */
  logs: procedure
    .input(
      OfRun.extend({
        before: z.int().min(0).optional(),
        limit: z.int().min(1).max(1000).default(200),
        source: z.enum(["agent", "build", "server", "tool"]).optional(),
        entryKey: z.string().max(64).optional(),
        trialId: Id.optional(),
      }),
    )
    .output(RunLogs)
    .query(notBuilt),
  raw: procedure
    .input(OfRun.extend({ trialId: Id }))
    .output(RawFiles)
    .query(notBuilt),
  cancel: procedure.input(OfRun).output(RunCancelled).mutation(notBuilt),
  /** Live: see WatchEvent. Ends when the run is in a final state and everything was sent. */
  watch: procedure
    .input(OfRun.extend({ lastEventId: z.string().max(64).nullish() }))
    .subscription(async function* (): AsyncGenerator<TrackedEnvelope<WatchEvent>> {
      for await (const event of notBuiltStream()) yield tracked("0:0", event);
    }),
});
