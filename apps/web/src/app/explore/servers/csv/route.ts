import { env } from "@/env";
import { askedIn, matrixFilter, sortedBy } from "@/lib/explore-path";
import { csvResponse, matrixRows } from "@/server/leaderboard-csv";
import { caller } from "@/trpc/caller";

export const dynamic = "force-dynamic";

/** The table of all servers as data, with the query of its page. */
export async function GET(request: Request): Promise<Response> {
  const asked = askedIn(new URL(request.url).searchParams);
  return csvResponse(async () => {
    const filter = matrixFilter(asked);
    const matrix = await (await caller()).report.leaderboardMatrix({ filter, by: sortedBy(asked) });
    return { name: "servers", rows: matrixRows(matrix, env().PUBLIC_URL) };
  });
}
