import {
  changeReportAccess,
  createReport,
  findReportBySlug,
  getLeaderboard,
  getLeaderboardMatrix,
  listLeaderboards,
  listPublicReports,
  listReports,
  revokeReport,
} from "@rigmark/domain";
import { Id } from "@rigmark/protocol";
import {
  ExploreFilter,
  ExplorePage,
  Leaderboard,
  LeaderboardFilter,
  LeaderboardMatrix,
  LeaderboardName,
  MatrixFilter,
  MOST_IN_REPORT,
  Nothing,
  ReportCreated,
  ReportDays,
  ReportList,
  ReportSlug,
  ReportView,
  ReportVisibility,
} from "@rigmark/results";
import { z } from "zod";
import { InWorkspace } from "../input";
import { procedure, router } from "../trpc";

export const report = router({
  create: procedure
    .input(
      InWorkspace.extend({
        /** The run alone; or `runIds`, of which the first is the one that the report is listed under. */
        runId: Id.optional(),
        runIds: z.array(Id).min(1).max(MOST_IN_REPORT).optional(),
        title: z.string().trim().max(120).optional(),
        /** Label of the entry that the others of each run are compared with; without it each run's own baseline. */
        baseline: z.string().min(1).max(200).optional(),
        showHostName: z.boolean().default(false),
        visibility: ReportVisibility.optional(),
        expiresInDays: ReportDays.optional(),
      }).transform(({ runId, runIds, ...rest }, check) => {
        const ids = runIds ?? (runId === undefined ? [] : [runId]);
        if (ids.length === 0 || (runId !== undefined && runIds !== undefined))
          check.addIssue({ code: "custom", message: "give either runId or runIds", path: ["runIds"] });
        return { ...rest, runIds: ids };
      }),
    )
    .output(ReportCreated)
    .mutation(({ ctx: { ctx }, input }) => createReport({ ctx, input })),
  list: procedure
    .input(InWorkspace.extend({ cursor: z.string().max(200).nullish() }))
    .output(ReportList)
    .query(({ ctx: { ctx }, input }) => listReports({ ctx, input })),
  revoke: procedure
    .input(InWorkspace.extend({ reportId: Id }))
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => revokeReport({ ctx, input })),
  /** Who can read it, and for how long from now; without `expiresInDays` its expiry stays. */
  changeAccess: procedure
    .input(
      InWorkspace.extend({
        reportId: Id,
        visibility: ReportVisibility,
        expiresInDays: ReportDays.optional(),
      }),
    )
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => changeReportAccess({ ctx, input })),
  /** Public: the scenarios of which public reports have ratios to nginx. */
  leaderboards: procedure
    .output(z.array(LeaderboardName))
    .query(({ ctx: { ctx } }) => listLeaderboards({ ctx })),
  /** Public. */
  leaderboard: procedure
    .input(z.object({ scenario: z.string().min(1).max(200), filter: LeaderboardFilter.default({}) }))
    .output(Leaderboard)
    .query(({ ctx: { ctx }, input }) => getLeaderboard({ ctx, input })),
  /** Public. `by`: the scenario that rows are sorted by. */
  leaderboardMatrix: procedure
    .input(z.object({ filter: MatrixFilter.default({}), by: z.string().min(1).max(200).optional() }))
    .output(LeaderboardMatrix)
    .query(({ ctx: { ctx }, input }) => getLeaderboardMatrix({ ctx, input })),
  /** Public: reports that their authors listed in Explore. */
  explore: procedure
    .input(
      z.object({
        filter: ExploreFilter.optional(),
        cursor: z.string().max(200).nullish(),
        language: z.enum(["en", "zh"]).default("en"),
      }),
    )
    .output(ExplorePage)
    .query(({ ctx: { ctx }, input }) => listPublicReports({ ctx, input })),
  /** Public. NOT_FOUND for unknown, revoked, expired and other people's private slugs alike. */
  bySlug: procedure
    .input(z.object({ slug: ReportSlug.or(z.string().max(200)), language: z.enum(["en", "zh"]).optional() }))
    .output(ReportView)
    .query(({ ctx: { ctx }, input }) => findReportBySlug({ ctx, input })),
});
