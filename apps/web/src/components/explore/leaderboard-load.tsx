import type { Leaderboard } from "@rigmark/results";
import { loadInWords } from "@/lib/load-words";
import { useWords } from "@/lib/words";

/** What every server of the table was loaded with, in the words of reports. */
export function LeaderboardLoad({ board }: { board: Pick<Leaderboard, "tool" | "request"> }) {
  const w = useWords();
  if (board.request === null) return null;
  const { path, load } = board.request;
  const told = { tool: board.tool, path, load: loadInWords(w, load) };
  return <p className="mt-1 [overflow-wrap:anywhere]">{w.t("public.leaderboard.load", told)}</p>;
}
