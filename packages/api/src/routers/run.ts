import {
  cancelRun,
  compareRuns,
  createRun,
  getRawFiles,
  getRun,
  getRunCurves,
  getRunOptions,
  getRunSeries,
  listRunLogs,
  listRuns,
  watchRun,
} from "@rigmark/domain";
import { Id, RunSpec } from "@rigmark/protocol";
import {
  ComparisonView,
  MOST_COMPARED,
  RawFiles,
  RunCancelled,
  RunCreated,
  RunCurves,
  RunLogs,
  RunOptions,
  RunPage,
  RunSeries,
  RunView,
  type WatchEvent,
} from "@rigmark/results";
import { RunFilter } from "@rigmark/results/public";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { z } from "zod";
import { InWorkspace, OfHost, OfRun } from "../input";
import { procedure, router, streamed } from "../trpc";

export const run = router({
  options: procedure
    .input(OfHost)
    .output(RunOptions)
    .query(({ ctx: { ctx }, input }) => getRunOptions({ ctx, input })),
  create: procedure
    .input(OfHost.extend({ spec: RunSpec }))
    .output(RunCreated)
    .mutation(({ ctx: { ctx }, input }) => createRun({ ctx, input })),
  list: procedure
    .input(
      InWorkspace.extend({
        cursor: z.string().max(200).nullish(),
        limit: z.int().min(1).max(100).default(30),
        hostId: Id.optional(),
        of: RunFilter.pick({ repository: true, branch: true, commit: true })
          .extend({ pullRequest: z.int().min(1).optional() })
          .optional(),
      }),
    )
    .output(RunPage)
    .query(({ ctx: { ctx }, input }) => listRuns({ ctx, input })),
  /** `baseline`: the label of an entry; without it each run's own. */
  compare: procedure
    .input(
      InWorkspace.extend({
        runIds: z.array(Id).min(1).max(MOST_COMPARED),
        baseline: z.string().min(1).max(200).optional(),
      }),
    )
    .output(ComparisonView)
    .query(({ ctx: { ctx }, input }) => compareRuns({ ctx, input })),
  get: procedure
    .input(OfRun)
    .output(RunView)
    .query(({ ctx: { ctx }, input }) => getRun({ ctx, input })),
  series: procedure
    .input(OfRun.extend({ trialId: Id.optional(), maxPoints: z.int().min(10).max(5000).default(600) }))
    .output(RunSeries)
    .query(({ ctx: { ctx }, input }) => getRunSeries({ ctx, input })),
  curves: procedure
    .input(OfRun)
    .output(RunCurves)
    .query(({ ctx: { ctx }, input }) => getRunCurves({ ctx, input })),
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
    .query(({ ctx: { ctx }, input }) => listRunLogs({ ctx, input })),
  raw: procedure
    .input(OfRun.extend({ trialId: Id }))
    .output(RawFiles)
    .query(({ ctx: { ctx }, input }) => getRawFiles({ ctx, input })),
  cancel: procedure
    .input(OfRun)
    .output(RunCancelled)
    .mutation(({ ctx: { ctx }, input }) => cancelRun({ ctx, input })),
  /** Live: see WatchEvent. Ends when the run is in a final state and everything was sent. */
  watch: procedure
    .input(OfRun.extend({ lastEventId: z.string().max(64).nullish() }))
    .subscription(async function* ({
      ctx: { ctx },
      input,
      signal,
    }): AsyncGenerator<TrackedEnvelope<WatchEvent>> {
      const source = watchRun({ ctx: { ...ctx, ...(signal ? { signal } : {}) }, input });
      for await (const { id, event } of streamed(source)) yield tracked(id, event);
    }),
});
