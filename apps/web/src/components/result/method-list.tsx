import { formatDuration } from "@rigmark/metrics";
import type { Load, PlanBlocks, PlanEntry, RunLabel, RunSpec, Scenario, TimeSpent } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import { blocksInWords, endOf, stoppingInWords } from "@rigmark/results/blocks";
import type { TermId } from "@/docs/terms";
import { loadInWords } from "@/lib/load-words";
import { disturbedInWords, secondsInWords, timeInWords } from "@/lib/method-words";
import { plainLine } from "@/lib/text";
import { Facts } from "../ui/facts";

/** How it was measured: load, order, blocks, entries by content. */
export function MethodList({
  spec,
  scenarios,
  entries,
  blocks,
  trials,
  labels,
  time,
  over,
}: {
  spec: RunSpec;
  scenarios: readonly Scenario[];
  entries: readonly PlanEntry[];
  /** As the agent planned them. */
  blocks: PlanBlocks | null;
  trials: readonly TrialView[];
  labels: readonly RunLabel[];
  /** How the run's wall time was spent; null while it runs, and in runs from before it was counted. */
  time: TimeSpent | null;
  /** No more blocks will come. */
  over: boolean;
}) {
  const baseline = entries.find((e) => e.baseline);
  const stopping = stoppingInWords(spec, over ? endOf(trials, labels) : null, blocks);
  return (
    <Facts
      columns={1}
      rows={[
        ...scenarios.map(
          (s) =>
            [
              scenarios.length > 1 ? plainLine(s.title) : "Load",
              `${s.tool}, ${s.workload} ${s.path}, ${loadInWords(s.load)}; ${secondsInWords(s, spec, trials)}`,
              LOAD_TERMS[s.load.kind],
            ] as const,
        ),
        [
          "Order",
          `${blocksInWords(spec, blocks)}; in each, ${withinBlock(trials)}, from seed ${spec.seed} (splitmix64, Fisher–Yates)`,
          "block",
        ],
        ...(stopping ? [["Blocks", stopping] as const] : []),
        ["Host", disturbedInWords(trials)],
        ["Time", time && timeInWords(time)],
        ["Baseline", baseline ? plainLine(baseline.label) : null, "baseline"],
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

const LOAD_TERMS: Record<Load["kind"], TermId> = {
  closed: "closed-loop",
  count: "closed-loop",
  rate: "open-loop",
  knee: "knee",
};

/** Whole trials one after another, or slices in mirrored rounds. */
function withinBlock(trials: readonly TrialView[]): string {
  const sliced = trials.filter((t) => t.slices > 1);
  const [first] = sliced;
  if (!first) return "every entry once in random order";
  const slice = formatDuration(first.duration_s / first.slices);
  const what = sliced.length < trials.length ? "where the tool can do short ones, " : "";
  return `${what}the load alternates between all entries in mirrored rounds (A B, B A), ${first.slices} slices of ${slice} each, in random order`;
}
