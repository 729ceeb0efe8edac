import { env } from "@/env";
import { askedIn, leaderboardFilter, scenarioNamed } from "@/lib/explore-path";
import { csvResponse, leaderboardRows } from "@/server/leaderboard-csv";
import { caller } from "@/trpc/caller";

export const dynamic = "force-dynamic";

/** A leaderboard as data, with the query of its page. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ scenario: string }> },
): Promise<Response> {
  const filter = leaderboardFilter(askedIn(new URL(request.url).searchParams));
  const scenario = scenarioNamed((await params).scenario);
  return csvResponse(async () => {
    const board = await (await caller()).report.leaderboard({ scenario, filter });
    return { name: board.scenario, rows: leaderboardRows(board, env().PUBLIC_URL) };
  });
}
