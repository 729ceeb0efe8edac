import { ToolName } from "@rigmark/protocol";
import type { LeaderboardName } from "@rigmark/results";
import type { Ctx } from "../context";
import { briefly } from "../internal/briefly";
import { commonest, countedByScenario, readStandings } from "./internal/public-standings";

/** Scenarios that are offered. */
const MOST = 100;
const FRESH_MS = 1_000;

/** The scenarios of which public reports have ratios to nginx, those with most entries first. For anybody. */
export const listLeaderboards = ({ ctx }: { ctx: Ctx }): Promise<LeaderboardName[]> =>
  briefly(ctx, "leaderboards", FRESH_MS, () => readNames(ctx));

async function readNames(ctx: Ctx): Promise<LeaderboardName[]> {
  const boards = countedByScenario(await readStandings(ctx, null)).flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const title = commonest(rows, (row) => row.title) ?? first.title;
    return {
      ...{ scenario: first.scenario_id, title, tool: ToolName.parse(first.tool) },
      entries: rows.length,
    };
  });
  return boards.sort((a, b) => b.entries - a.entries || (a.scenario < b.scenario ? -1 : 1)).slice(0, MOST);
}
