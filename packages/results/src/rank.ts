import type { EntrySummary, ScenarioSummary } from "./view/summary";

/**
 * Ranks as they are shown. Packages/stats decides them; only reports from before `rank_to` are read here by their stored
 * verdicts. Without schemas: a public report's browser code needs it, and must not carry zod with it.
 */

export interface Rank {
  from: number;
  to: number;
}

type Scenario = Pick<ScenarioSummary, "entries" | "winner_key" | "no_winner">;

/** In reports from before ranks needed a verdict `rank` is the order of the medians. */
const isOld = ({ entries }: Scenario): boolean => entries.some((e) => e.rank_to === undefined);

/** Which group the stored verdicts put an entry in; the baseline is level with whom nothing was shown of. */
const GROUP: Partial<Record<NonNullable<EntrySummary["verdict"]>, number>> = { faster: 0, slower: 2 };

/**
 * Of an old report: faster entries are ahead of the baseline, slower ones behind it, and the faster ahead of the slower.
 * Whoever is not shown to differ from the baseline has no rank.
 */
function oldRank(scenario: Scenario, entry: EntrySummary, baselineKey: string | undefined): Rank | null {
  const ranked = scenario.entries.filter((e) => e.unranked_reason === null);
  if (!ranked.includes(entry) || !ranked.some((e) => e.entry_key === baselineKey)) return null;
  const group = (e: EntrySummary): number | null =>
    e.entry_key === baselineKey ? 1 : ((e.verdict && GROUP[e.verdict]) ?? null);
  const won = scenario.no_winner === null ? scenario.winner_key : null;
  if (won === entry.entry_key) return { from: 1, to: 1 };
  const own = group(entry);
  if (own === null) return null;
  const others = ranked.filter((e) => e !== entry);
  const ahead = others.filter((e) => e.entry_key === won || (group(e) ?? own) < own).length;
  const behind = others.filter((e) => (group(e) ?? own) > own).length;
  return ahead + behind > 0 ? { from: 1 + ahead, to: ranked.length - behind } : null;
}

/** The rank of an entry; null where no verdict stands behind one. */
export function rankOf(
  scenario: Scenario,
  entry: EntrySummary,
  baselineKey: string | undefined,
): Rank | null {
  if (isOld(scenario)) return oldRank(scenario, entry, baselineKey);
  const { rank, rank_to } = entry;
  return rank === null || rank_to === null || rank_to === undefined ? null : { from: rank, to: rank_to };
}

/** `1`, or `1–2` where no difference was shown between two. */
export const rankInWords = (rank: Rank | null): string =>
  rank === null ? "–" : rank.from === rank.to ? String(rank.from) : `${rank.from}–${rank.to}`;

/** In the order in which they are shown. An old report has them by their medians, which is no order without a verdict. */
export function entriesOf(
  scenario: Scenario,
  declared: readonly { key: string; baseline: boolean }[],
): EntrySummary[] {
  if (!isOld(scenario)) return scenario.entries;
  const baselineKey = declared.find((e) => e.baseline)?.key;
  const place = (entry: EntrySummary): number[] => {
    const rank = rankOf(scenario, entry, baselineKey);
    const at = declared.findIndex((e) => e.key === entry.entry_key);
    return [
      entry.unranked_reason === null ? 0 : 1,
      rank ? 0 : 1,
      rank?.from ?? 0,
      rank?.to ?? 0,
      entry.entry_key === baselineKey ? -1 : at,
    ];
  };
  const compare = (a: number[], b: number[]): number => {
    const at = a.findIndex((value, i) => value !== b[i]);
    return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
  };
  return [...scenario.entries].sort((a, b) => compare(place(a), place(b)));
}
