import { createBadge, deleteBadge, getHistory, listHistory } from "@rigmark/domain";
import { Id } from "@rigmark/protocol";
import { HistoryBadge, HistoryList, HistoryView, Nothing } from "@rigmark/results";
import { MOST_SEARCH } from "@rigmark/results/run-list";
import { z } from "zod";
import { InWorkspace, OfHost } from "../input";
import { procedure, router } from "../trpc";

const Label = z.string().min(1).max(200);

export const history = router({
  /** What can be followed over runs. `q`: words of a host, a scenario, a label or a server. */
  list: procedure
    .input(
      InWorkspace.extend({
        q: z.string().max(MOST_SEARCH).optional(),
        // It holds two names.
        cursor: z.string().max(4_000).nullish(),
      }),
    )
    .output(HistoryList)
    .query(({ ctx: { ctx }, input }) => listHistory({ ctx, input })),
  /** `relativeTo`: the label that values are ratios to; null for the figures themselves. */
  get: procedure
    .input(OfHost.extend({ scenario: Label, label: Label, relativeTo: Label.nullish() }))
    .output(HistoryView)
    .query(({ ctx: { ctx }, input }) => getHistory({ ctx, input })),
  /** Of what `get` shows. */
  createBadge: procedure
    .input(OfHost.extend({ scenario: Label, label: Label, relativeTo: Label.nullable() }))
    .output(HistoryBadge)
    .mutation(({ ctx: { ctx }, input }) => createBadge({ ctx, input })),
  deleteBadge: procedure
    .input(InWorkspace.extend({ badgeId: Id }))
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => deleteBadge({ ctx, input })),
});
