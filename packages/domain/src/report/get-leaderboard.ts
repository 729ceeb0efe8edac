import { ToolName } from "@rigmark/protocol";
import type { Leaderboard, LeaderboardFilter } from "@rigmark/results";
import { LEFT_OUT } from "@rigmark/results/leaderboard";
import { rankingOf } from "@rigmark/results/ranking";
import type { Call } from "../context";
import { DomainError } from "../error";
import { storable } from "../internal/text";
import { fits, judge, readStandings, rowOf, valuesOf } from "./internal/public-standings";

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
  const rows = judged.flatMap(({ row, why }) => (why === null ? (rowOf(row) ?? []) : []));
  return {
    ...{ scenario: of.scenario_id, title: of.title, tool: ToolName.parse(of.tool), metric: of.metric },
    rows: rows.sort((a, b) => (moreIsBetter ? -1 : 1) * (a.ratio.estimate - b.ratio.estimate)),
    left_out: LEFT_OUT.flatMap((why) => {
      const entries = judged.filter((each) => each.why === why).length;
      return entries > 0 ? [{ why, entries }] : [];
    }),
    archs: valuesOf(found.map((row) => row.arch)),
    cpus: valuesOf(found.map((row) => row.cpu)),
  };
}
