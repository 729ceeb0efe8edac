import { ToolName } from "@rigmark/protocol";
import type { Leaderboard, LeaderboardFilter } from "@rigmark/results";
import { LEFT_OUT } from "@rigmark/results/leaderboard";
import { rankingOf } from "@rigmark/results/ranking";
import type { Call } from "../context";
import { DomainError } from "../error";
import { storable } from "../internal/text";
import { fits, judge, readStandings, rowOf, titleOf, valuesOf } from "./internal/public-standings";

/** Rows that a page holds. */
const MOST_ROWS = 500;

/** How servers did under one scenario against nginx in the same run, from reports that are public now. For anybody. */
export async function getLeaderboard({
  ctx,
  input,
}: Call<{ scenario: string; filter: LeaderboardFilter }>): Promise<Leaderboard> {
  const found = await readStandings(ctx, storable(input.scenario));
  const judged = judge(found.filter(fits(input.filter)));
  const of = (judged.find(({ why }) => why === null) ?? judged[0])?.row ?? found[0];
  if (!of)
    throw new DomainError("not_found", "No public report has this scenario; choose another one in Explore.");
  const { moreIsBetter } = rankingOf(of.metric);
  const counted = judged.flatMap(({ row, why }) => (why === null ? row : []));
  const rows = counted.slice(0, MOST_ROWS).flatMap((row) => rowOf(row) ?? []);
  const older = counted.reduce((sum, row) => sum + row.older, 0);
  return {
    ...{
      scenario: of.scenario_id,
      title: titleOf(judged) ?? of.title,
      tool: ToolName.parse(of.tool),
      metric: of.metric,
    },
    rows: rows.sort((a, b) => (moreIsBetter ? -1 : 1) * (a.ratio.estimate - b.ratio.estimate)),
    left_out: LEFT_OUT.flatMap((why) => {
      const entries = why === "older" ? older : judged.filter((each) => each.why === why).length;
      return entries > 0 ? [{ why, entries }] : [];
    }),
    archs: valuesOf(found.map((row) => row.arch)),
    cpus: valuesOf(found.map((row) => row.cpu)),
  };
}
