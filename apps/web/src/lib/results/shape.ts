import type { Words } from "@rigmark/messages";
import { formatNumber, type Unit } from "@rigmark/metrics";
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

export const formatRange = (w: Words, min: number, max: number, unit: Unit): string =>
  w.quantity(min, unit) === w.quantity(max, unit)
    ? w.quantity(min, unit)
    : unit === "per_s"
      ? `${formatNumber(min)} – ${w.quantity(max, unit)}`
      : `${w.quantity(min, unit)} – ${w.quantity(max, unit)}`;

export const blockName = (w: Words, block: number): string => w.t("figure.block", { n: block + 1 });

/** A phrase of packages/stats, which may quote the agent. */
export const phrase = (
  w: Words,
  english: string | null | undefined,
  chinese: string | null | undefined,
): string | null => (english ? w.phraseIn(plainLine(english), chinese ? plainLine(chinese) : null) : null);

/** Why an entry has no rank. */
export const unrankedWhy = (
  w: Words,
  of: (Pick<EntrySummary, "unranked_reason"> & Partial<Pick<EntrySummary, "unranked_reason_zh">>) | undefined,
): string | null => phrase(w, of?.unranked_reason, of?.unranked_reason_zh);

/** The sentence of why a trial does not count. */
export const trialReason = (w: Words, trial: Pick<TrialView, "reasons">): string =>
  trial.reasons
    .map((r) => w.coded({ code: r.code, message: plainLine(r.message) }))
    .join(w.language === "en" ? " " : "；") || w.t("report.trials.noReason");
