import { limitOf, type Words } from "@rigmark/messages";
import { COUNTERS } from "@rigmark/metrics";
import type { PlanEntry, Scenario } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import { trialRateBound } from "@rigmark/results/ranking";
import type { ReactNode } from "react";
import { failureKinds } from "@/lib/results/failure-kinds";
import { trialReason } from "@/lib/results/shape";
import type { SeriesStyle } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { ScrollBox } from "../ui/scroll-box";
import { Term } from "../ui/term";
import { type TrialRow, TrialRows } from "./trial-rows";

interface TrialsTableProps {
  trials: readonly TrialView[];
  entries: readonly PlanEntry[];
  scenarios: readonly Scenario[];
  styles: Map<string, SeriesStyle>;
  /** A last column, such as raw output. */
  raw?: (trial: TrialView) => ReactNode;
}

/** A browser chokes on more; figures and exports have them all. */
const MOST_ROWS = 500;

/** Every trial in the order in which it ran, with what makes it invalid. */
export function TrialsTable({ trials, entries, scenarios, styles, raw }: TrialsTableProps) {
  const w = useWords();
  const many = scenarios.length > 1;
  const sorted = [...trials].sort(
    (a, b) =>
      (a.measured_from_s ?? Number.POSITIVE_INFINITY) - (b.measured_from_s ?? Number.POSITIVE_INFINITY) ||
      a.block - b.block ||
      a.position - b.position,
  );
  const shown = sorted.slice(0, MOST_ROWS);
  const unknown = { label: w.t("report.trials.unknownEntry"), style: undefined };
  const named = [
    ...entries.map(({ key, label }) => ({ label: plainLine(label), style: styles.get(key) })),
    unknown,
  ];
  const [keys, ids] = [placesOf(entries.map((e) => e.key)), placesOf(scenarios.map((x) => x.id))];
  const placeOf = (trial: TrialView) => ({
    entry: keys.get(trial.entry_key) ?? entries.length,
    scenario: ids.get(trial.scenario) ?? -1,
  });
  return (
    <ScrollBox label={w.t("report.parts.trials")} className="panel max-h-[40rem] overflow-y-auto">
      <table className="grid-table" data-sticky>
        <caption className="sr-only">{w.t("report.trials.caption")}</caption>
        <thead>
          <tr>
            <th scope="col">
              <Term id="entry">{w.t("figure.entry")}</Term>
            </th>
            {many && (
              <th scope="col">
                <Term id="scenario">{w.t("figure.scenario")}</Term>
              </th>
            )}
            <th scope="col" data-align="right">
              <Term id="block">{w.t("report.trials.block")}</Term>
            </th>
            <th scope="col">
              <Term id="valid-trial">{w.t("report.trials.state")}</Term>
            </th>
            <th scope="col" data-align="right" title={w.metric("requests_per_s").meaning}>
              {w.t("report.trials.rate")}
            </th>
            <th scope="col" data-align="right" title={w.metric("failures_ratio").meaning}>
              {w.t("report.trials.failed")}
            </th>
            <th scope="col" data-align="right" title={w.metric("server_cpu_cores").meaning}>
              {w.t("report.trials.serverCpu")}
            </th>
            <th scope="col" data-align="right" title={w.metric("tool_cpu_cores").meaning}>
              {w.t("report.trials.toolCpu")}
            </th>
            <th scope="col" data-align="right" title={w.metric("server_rss_peak_bytes").meaning}>
              {w.t("report.trials.memory")}
            </th>
            {Object.values(COUNTERS).map((counter) => (
              <th key={counter.id} scope="col" data-align="right" title={w.metric(counter.id).meaning}>
                {w.metric(counter.id).title}
              </th>
            ))}
            <th scope="col" title={w.t("figure.limitHint")}>
              <Term id="bottleneck">{w.t("figure.limit")}</Term>
            </th>
            {raw && <th scope="col">{w.t("report.trials.tool")}</th>}
          </tr>
        </thead>
        <TrialRows
          rows={shown.map((trial) => rowOf(w, trial, placeOf))}
          entries={named}
          scenarios={many ? scenarios.map((x) => w.title(plainLine(x.title))) : null}
          {...(raw && { raw: (place: number) => shown[place] && raw(shown[place]) })}
        />
      </table>
      {sorted.length > shown.length && (
        <p className="px-3 py-2 text-ink-2">
          {w.t("report.trials.first", { shown: MOST_ROWS, n: sorted.length })}
        </p>
      )}
    </ScrollBox>
  );
}

const placesOf = (ids: readonly string[]) => new Map(ids.map((id, place) => [id, place]));

function failuresOf(w: Words, { result }: TrialView): string {
  const kinds = failureKinds(w, result?.failures);
  return `${w.quantity(result?.failures.total, "count")}${kinds === null ? "" : ` (${kinds})`}`;
}

function rowOf(
  w: Words,
  trial: TrialView,
  placeOf: (trial: TrialView) => Pick<TrialRow, "entry" | "scenario">,
): TrialRow {
  const r = trial.resources;
  const window = r && r.window_us > 0 ? r.window_us : null;
  const cores = (cpu: number | null | undefined) =>
    w.quantity(cpu === null || cpu === undefined || window === null ? null : cpu / window, "cores");
  const labels = trial.labels.map((l) => w.coded({ code: l.code, message: plainLine(l.message) }));
  return {
    ...placeOf(trial),
    block: trial.block + 1,
    state: w.t(`report.trials.states.${trial.state}`),
    bad: trial.state === "invalid" || trial.state === "failed",
    reason: trial.reasons.length > 0 ? `${w.t("ui.colon")}${trialReason(w, trial)}` : null,
    labels: labels.length > 0 ? labels.join(w.language === "en" ? " " : "；") : null,
    figures: [
      w.bound(trial.result?.requests_per_s, "per_s", trialRateBound(trial)),
      failuresOf(w, trial),
      cores(r?.server_cpu_us),
      cores(r?.tool_cpu_us),
      w.quantity(r?.server_rss_peak_bytes, "bytes"),
      ...Object.values(COUNTERS).map((counter) => w.quantity(r?.counters?.[counter.id], counter.unit)),
    ],
    limit: trial.limit ? limitOf(w, trial.limit) : "–",
  };
}
