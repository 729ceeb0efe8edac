import { formatDuration } from "@rigmark/metrics";
import type { PlanEntry, RunSpec, Scenario } from "@rigmark/protocol";
import { loadInWords } from "@/lib/load-words";
import { plainLine, plural } from "@/lib/text";
import { Facts } from "../ui/facts";

/** How it was measured: load, order, blocks, entries by content. */
export function MethodList({
  spec,
  scenarios,
  entries,
}: {
  spec: RunSpec;
  scenarios: readonly Scenario[];
  entries: readonly PlanEntry[];
}) {
  const baseline = entries.find((e) => e.baseline);
  return (
    <Facts
      columns={1}
      rows={[
        ...scenarios.map(
          (s) =>
            [
              scenarios.length > 1 ? plainLine(s.title) : "Load",
              `${s.tool}, ${s.workload} ${s.path}, ${loadInWords(s.load)}; ${formatDuration(spec.duration_s ?? s.duration_s)} measured after ${formatDuration(spec.warmup_s ?? s.warmup_s)} of warm-up`,
            ] as const,
        ),
        [
          "Order",
          `${plural(spec.repeats, "block")}; in each, every entry once in random order, from seed ${spec.seed} (splitmix64, Fisher–Yates)`,
        ],
        ["Baseline", baseline ? plainLine(baseline.label) : null],
        ...entries.map(
          (e) =>
            [
              plainLine(e.label).slice(0, 40),
              <span key={e.key}>
                {plainLine(e.title)}
                {Object.entries(e.options).map(([k, v]) => `, ${plainLine(k)} ${v}`)}, content{" "}
                <code title={e.content_hash}>{e.content_hash.slice(0, 12)}</code>
              </span>,
            ] as const,
        ),
      ]}
    />
  );
}
