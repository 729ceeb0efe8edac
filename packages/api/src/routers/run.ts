import {
  cancelRun,
  compareCurves,
  compareRuns,
  createRun,
  deleteRuns,
  editRun,
  getRawFiles,
  getRun,
  getRunCurves,
  getRunOptions,
  getRunSeries,
  listDeletedRuns,
  listRunFilters,
  listRunLogs,
  listRuns,
  restoreRuns,
  watchRun,
} from "@rigmark/domain";
import { Id, RunSpec } from "@rigmark/protocol";
import {
  ComparedCurves,
  ComparisonView,
  DeletedRuns,
  MOST_COMPARED,
  Nothing,
  RawFiles,
  ReportRunName,
  RunCancelled,
  RunCreated,
  RunCurves,
  RunEdit,
  RunFilterValues,
  RunListFilter,
  RunLogs,
  RunOptions,
  RunPage,
  RunSeries,
  RunsDeleted,
  RunView,
  RunWords,
  type WatchEvent,
} from "@rigmark/results";
import { QUERY_POINTS } from "@rigmark/results/points";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { z } from "zod";
import { InWorkspace, OfHost, OfRun } from "../input";
import { procedure, router, streamed } from "../trpc";

/** As many as can be ticked in the list. */
const Runs = InWorkspace.extend({ runIds: z.array(Id).min(1).max(MOST_COMPARED) });
const MaxPoints = z.int().min(QUERY_POINTS.least).max(QUERY_POINTS.most).default(QUERY_POINTS.default);

const Compared = InWorkspace.extend({
  runIds: z.array(Id).min(1).max(MOST_COMPARED),
  reports: z.array(ReportRunName).max(MOST_COMPARED).optional(),
});

export const run = router({
  options: procedure
    .input(OfHost)
    .output(RunOptions)
    .query(({ ctx: { ctx }, input }) => getRunOptions({ ctx, input })),
  create: procedure
    .input(OfHost.extend({ spec: RunSpec, repeats: ReportRunName.optional() }))
    .output(RunCreated)
    .mutation(({ ctx: { ctx }, input }) => createRun({ ctx, input })),
  list: procedure
    .input(
      InWorkspace.extend({
        cursor: z.string().max(200).nullish(),
        limit: z.int().min(1).max(100).default(30),
        filter: RunListFilter.optional(),
      }),
    )
    .output(RunPage)
    .query(({ ctx: { ctx }, input }) => listRuns({ ctx, input })),
  /** What the list can be filtered by; `host` and `person`: those that are chosen. */
  filters: procedure
    .input(InWorkspace.extend(RunListFilter.pick({ host: true, person: true }).shape))
    .output(RunFilterValues)
    .query(({ ctx: { ctx }, input }) => listRunFilters({ ctx, input })),
  /** `baseline`: the label of an entry; without it each run's own. */
  compare: procedure
    .input(Compared.extend({ baseline: z.string().min(1).max(200).optional() }))
    .output(ComparisonView)
    .query(({ ctx: { ctx }, input }) => compareRuns({ ctx, input })),
  compareCurves: procedure
    .input(Compared)
    .output(ComparedCurves)
    .query(({ ctx: { ctx }, input }) => compareCurves({ ctx, input })),
  get: procedure
    .input(OfRun)
    .output(RunView)
    .query(({ ctx: { ctx }, input }) => getRun({ ctx, input })),
  series: procedure
    .input(OfRun.extend({ trialId: Id.optional(), maxPoints: MaxPoints }))
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
  edit: procedure
    .input(OfRun.extend(RunEdit.shape))
    .output(RunWords)
    .mutation(({ ctx: { ctx }, input }) => editRun({ ctx, input })),
  delete: procedure
    .input(Runs)
    .output(RunsDeleted)
    .mutation(({ ctx: { ctx }, input }) => deleteRuns({ ctx, input })),
  restore: procedure
    .input(Runs)
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => restoreRuns({ ctx, input })),
  deleted: procedure
    .input(InWorkspace)
    .output(DeletedRuns)
    .query(({ ctx: { ctx }, input }) => listDeletedRuns({ ctx, input })),
  /** Live: see WatchEvent. Ends when the run is in a final state and everything was sent. */
  watch: procedure
    .input(OfRun.extend({ lastEventId: z.string().max(64).nullish() }))
    .subscription(async function* ({
      ctx: { ctx },
      input,
      signal,
    }): AsyncGenerator<TrackedEnvelope<readonly WatchEvent[]>> {
      const source = watchRun({ ctx: { ...ctx, ...(signal ? { signal } : {}) }, input });
      for await (const { id, events } of streamed(source)) yield tracked(id, events);
    }),
});
