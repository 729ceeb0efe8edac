import { wordsIn } from "@rigmark/messages/catalogue";
import type { Leaderboard, LeaderboardMatrix, LeaderboardRow } from "@rigmark/results";
import { publicVerdict } from "@rigmark/results/public";
import { TRPCError } from "@trpc/server";
import { type CsvCell, fileName, toCsv } from "@/lib/csv";
import { resultsPath } from "@/lib/explore-path";

/** Columns are only added, at the end. */
const COLUMNS = [
  "scenario",
  "title",
  "metric",
  "label",
  "server",
  "machine",
  "ratio",
  "low",
  "high",
  "verdict",
  "report_url",
  "report_created_at",
];

/** A row for each row of the page. `origin`: where reports are. */
export const leaderboardRows = (board: Leaderboard, origin: string): CsvCell[][] => [
  COLUMNS,
  ...board.rows.map((row) => cellsOf(board, row, origin)),
];

/** A row for each cell of the page that has a ratio. */
export const matrixRows = ({ scenarios, rows }: LeaderboardMatrix, origin: string): CsvCell[][] => [
  [...COLUMNS, "cpu", "arch"],
  ...rows.flatMap(({ cpu, arch, cells }) =>
    scenarios.flatMap((of, place) => {
      const cell = cells[place];
      return cell ? [[...cellsOf(of, cell, origin), cpu, arch]] : [];
    }),
  ),
];

const cellsOf = (
  { scenario, title, metric }: Pick<Leaderboard, "scenario" | "title" | "metric">,
  row: LeaderboardRow,
  origin: string,
): CsvCell[] => [
  ...[scenario, title, metric, row.label, row.server, row.machine],
  ...[row.ratio.estimate, row.ratio.low, row.ratio.high, publicVerdict(row.verdict)],
  ...[`${origin}${resultsPath(row, scenario, "en")}`, row.created_at],
];

const HEADERS = {
  // It changes with each public report, so whoever keeps it has to ask again.
  "cache-control": "no-cache",
  "x-robots-tag": "noindex",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'",
};

/** A table as a file. What is not there is a 404, as its page is. */
export async function csvResponse(
  table: () => Promise<{ name: string; rows: CsvCell[][] }>,
): Promise<Response> {
  try {
    const { name, rows } = await table();
    return new Response(toCsv(rows), {
      headers: {
        ...HEADERS,
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="${fileName("rigmark", name)}.csv"`,
      },
    });
  } catch (error) {
    if (!(error instanceof TRPCError) || !["NOT_FOUND", "BAD_REQUEST"].includes(error.code)) throw error;
    const w = wordsIn("en");
    return new Response(`${w.t("public.noLeaderboard.text")}\n`, {
      status: 404,
      headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" },
    });
  }
}
