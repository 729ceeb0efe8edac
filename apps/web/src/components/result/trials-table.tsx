import { COUNTERS, formatQuantity, formatRate, METRICS } from "@rigmark/metrics";
import type { PlanEntry, Scenario } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import type { ReactNode } from "react";
import { LIMIT_HINT, LIMIT_WORDS, trialReason } from "@/lib/results/shape";
import type { SeriesStyle } from "@/lib/series-style";
import { plainLine, plural } from "@/lib/text";
import { SeriesGlyph } from "../chart/glyph";
import { Term } from "../ui/term";

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
  const byKey = new Map(entries.map((e) => [e.key, e]));
  const many = scenarios.length > 1;
  const sorted = [...trials].sort(
    (a, b) =>
      (a.measured_from_s ?? Number.POSITIVE_INFINITY) - (b.measured_from_s ?? Number.POSITIVE_INFINITY) ||
      a.block - b.block ||
      a.position - b.position,
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="scroll-x panel max-h-[40rem] overflow-y-auto" tabIndex={0} aria-label="Trials">
      <table className="grid-table" data-sticky>
        <caption className="sr-only">All trials with their figures</caption>
        <thead>
          <tr>
            <th scope="col">
              <Term id="entry">Entry</Term>
            </th>
            {many && (
              <th scope="col">
                <Term id="scenario">Scenario</Term>
              </th>
            )}
            <th scope="col" data-align="right">
              <Term id="block">Block</Term>
            </th>
            <th scope="col">
              <Term id="valid-trial">State</Term>
            </th>
            <th scope="col" data-align="right" title={METRICS.requests_per_s.meaning}>
              Rate
            </th>
            <th scope="col" data-align="right" title={METRICS.failures_ratio.meaning}>
              Failed
            </th>
            <th scope="col" data-align="right" title={METRICS.server_cpu_cores.meaning}>
              Server CPU
            </th>
            <th scope="col" data-align="right" title={METRICS.tool_cpu_cores.meaning}>
              Tool CPU
            </th>
            <th scope="col" data-align="right" title={METRICS.server_rss_peak_bytes.meaning}>
              Memory
            </th>
            {Object.values(COUNTERS).map((counter) => (
              <th key={counter.id} scope="col" data-align="right" title={counter.meaning}>
                {counter.title}
              </th>
            ))}
            <th scope="col" title={LIMIT_HINT}>
              <Term id="bottleneck">Limit</Term>
            </th>
            {raw && <th scope="col">Tool</th>}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, MOST_ROWS).map((trial) => {
            const entry = byKey.get(trial.entry_key);
            const style = styles.get(trial.entry_key);
            const r = trial.resources;
            const window = r && r.window_us > 0 ? r.window_us : null;
            const cores = (cpu: number | null | undefined) =>
              formatQuantity(
                cpu === null || cpu === undefined || window === null ? null : cpu / window,
                "cores",
              );
            return (
              <tr key={trial.trial_id}>
                <th scope="row">
                  {style && <SeriesGlyph style={style} />} <bdi>{plainLine(entry?.label ?? "unknown")}</bdi>
                </th>
                {many && (
                  <td className="wrap-short">
                    {plainLine(scenarios.find((x) => x.id === trial.scenario)?.title ?? trial.scenario)}
                  </td>
                )}
                <td data-align="right">{trial.block + 1}</td>
                <td
                  className={`${trial.reasons.length + trial.labels.length > 0 ? "wrap" : ""} ${
                    trial.state === "invalid" || trial.state === "failed" ? "text-bad" : ""
                  }`}
                >
                  {trial.state}
                  {trial.reasons.length > 0 && `: ${trialReason(trial)}`}
                  {trial.labels.length > 0 && (
                    <span className="block text-[0.857rem] text-ink-2">
                      {trial.labels.map((l) => plainLine(l.message)).join(" ")}
                    </span>
                  )}
                </td>
                <td data-align="right">
                  {formatRate(trial.result?.requests_per_s, trial.limit === "generator-bound")}
                </td>
                <td data-align="right">{formatQuantity(trial.result?.failures.total, "count")}</td>
                <td data-align="right">{cores(r?.server_cpu_us)}</td>
                <td data-align="right">{cores(r?.tool_cpu_us)}</td>
                <td data-align="right">{formatQuantity(r?.server_rss_peak_bytes, "bytes")}</td>
                {Object.values(COUNTERS).map((counter) => (
                  <td key={counter.id} data-align="right">
                    {formatQuantity(r?.counters?.[counter.id], counter.unit)}
                  </td>
                ))}
                <td>{trial.limit ? LIMIT_WORDS[trial.limit] : "–"}</td>
                {raw && <td>{raw(trial)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
      {sorted.length > MOST_ROWS && (
        <p className="px-3 py-2 text-ink-2">
          The first {MOST_ROWS} of {plural(sorted.length, "trial")}. Charts and exports have them all.
        </p>
      )}
    </section>
  );
}
