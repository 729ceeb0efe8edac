import { ToolName } from "@rigmark/protocol";
import type { Leaderboard, LeaderboardFilter } from "@rigmark/results";
import { LEFT_OUT, type LeftOut } from "@rigmark/results/leaderboard";
import { rankingOf } from "@rigmark/results/ranking";
import type { Call } from "../context";
import { DomainError } from "../error";
import { storable } from "../internal/text";
import { loadOf } from "./internal/load-of";
import {
  fits,
  judge,
  machinesOf,
  readStandings,
  rowOf,
  titleOf,
  withItsLoad,
} from "./internal/public-standings";

/** Rows that a page holds. */
const MOST_ROWS = 500;

/** How servers did under one scenario against nginx in the same run, from reports that are public now. For anybody. */
export async function getLeaderboard({
  ctx,
  input,
}: Call<{ scenario: string; filter: LeaderboardFilter }>): Promise<Leaderboard> {
  const found = await readStandings(ctx, storable(input.scenario));
  const judged = judge(found.filter(fits(input.filter)));
  const of = withItsLoad(judged) ?? withItsLoad(judge(found));
  if (!of)
    throw new DomainError("not_found", "No public report has this scenario; choose another one in Explore.");
  const { moreIsBetter } = rankingOf(of.metric);
  const counted = judged.flatMap(({ row, why }) => (why === null ? row : []));
  const rows = counted
    .flatMap((row) => rowOf(row) ?? [])
    .sort((a, b) => (moreIsBetter ? -1 : 1) * (a.ratio.estimate - b.ratio.estimate));
  const leftOut = (why: LeftOut): number => {
    if (why === "older") return counted.reduce((sum, row) => sum + row.older, 0);
    if (why === "no-room") return rows.length - MOST_ROWS;
    return judged.filter((each) => each.why === why).length;
  };
  return {
    ...{
      scenario: of.scenario_id,
      title: titleOf(judged) ?? of.title,
      tool: ToolName.parse(of.tool),
      metric: of.metric,
      request: loadOf(of.load),
    },
    rows: rows.slice(0, MOST_ROWS),
    left_out: LEFT_OUT.flatMap((why) => {
      const entries = leftOut(why);
      return entries > 0 ? [{ why, entries }] : [];
    }),
    ...machinesOf(found, input.filter),
  };
}
