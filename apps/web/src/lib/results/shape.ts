import { formatNumber, formatQuantity, type Unit } from "@rigmark/metrics";
import type { PlanEntry, Scenario } from "@rigmark/protocol";
import type {
  EntrySummary,
  RunSummary,
  ScenarioSummary,
  TrialSeries,
  TrialView,
  VerifyView,
} from "@rigmark/results";
import { entriesOf, type Rank, rankOf } from "@rigmark/results/rank";
import { winnerKeyOf } from "@rigmark/results/winner";
import { plainLine } from "../text";

/** What a live run and a frozen report have in common: enough to draw every figure. */
export interface ResultRun {
  entries: PlanEntry[];
  scenarios: Scenario[];
  trials: TrialView[];
  verify: VerifyView[];
  summary: RunSummary | null;
  series: TrialSeries[];
}

export const summaryOf = (run: Pick<ResultRun, "summary">, scenario: string): ScenarioSummary | undefined =>
  run.summary?.scenarios.find((s) => s.scenario === scenario);

/** Entries of a scenario as they are shown: by the ranks that verdicts give, else as they were declared. */
export function rankedEntries(
  run: Pick<ResultRun, "entries" | "summary">,
  scenario: string,
): { entry: PlanEntry; name: string; summary: EntrySummary | undefined; rank: Rank | null }[] {
  const byKey = new Map(run.entries.map((entry) => [entry.key, entry]));
  const baselineKey = run.entries.find((entry) => entry.baseline)?.key;
  const found = summaryOf(run, scenario);
  const ranked = (found ? entriesOf(found, run.entries) : []).flatMap((summary) => {
    const entry = byKey.get(summary.entry_key);
    const rank = found ? rankOf(found, summary, baselineKey) : null;
    return entry ? [{ entry, name: plainLine(entry.label), summary, rank }] : [];
  });
  const seen = new Set(ranked.map((r) => r.entry.key));
  const rest = run.entries.filter((entry) => !seen.has(entry.key));
  const without = { summary: undefined, rank: null };
  return [...ranked, ...rest.map((entry) => ({ entry, name: plainLine(entry.label), ...without }))];
}

/** Who was shown to be faster than every rival in a scenario; null where no verdict shows anybody to be. */
export function winnerOf(run: Pick<ResultRun, "summary">, scenario: string): string | null {
  const summary = summaryOf(run, scenario);
  return summary ? winnerKeyOf(summary) : null;
}

export const trialsOf = (run: Pick<ResultRun, "trials">, scenario: string, entryKey: string): TrialView[] =>
  run.trials
    .filter((t) => t.scenario === scenario && t.entry_key === entryKey)
    .sort((a, b) => a.block - b.block || a.position - b.position);

export const formatSpan = (min: number, max: number, unit: Unit): string =>
  formatQuantity(min, unit) === formatQuantity(max, unit)
    ? formatQuantity(min, unit)
    : unit.startsWith("per_s")
      ? `${formatNumber(min)} – ${formatQuantity(max, unit)}`
      : `${formatQuantity(min, unit)} – ${formatQuantity(max, unit)}`;

/** Of a column that says it in a word. */
export const LIMIT_HINT =
  "What was saturated: the server, the tool, or neither. – where it could not be told, as where other programs used the host";
export { LIMIT_WORDS } from "@rigmark/results/ranking";

export const blockName = (block: number): string => `block ${block + 1}`;

/** The sentence of why a trial does not count. */
export const trialReason = (trial: Pick<TrialView, "reasons">): string =>
  trial.reasons.map((r) => plainLine(r.message)).join(" ") || "no reason was given";
