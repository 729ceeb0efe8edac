import { blocksOf, stoppingOf, type Words } from "@rigmark/messages";
import { formatDuration } from "@rigmark/metrics";
import type {
  Load,
  PlanBlocks,
  PlanEntry,
  Revision,
  RunLabel,
  RunSpec,
  Scenario,
  TimeSpent,
} from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import { blockRange, endOf, precisionInWords } from "@rigmark/results/blocks";
import type { TermId } from "@/docs/terms";
import { loadInWords } from "@/lib/load-words";
import { disturbedInWords, secondsInWords, timeInWords } from "@/lib/method-words";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Facts } from "../ui/facts";
import { Text } from "../ui/text";

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
  const w = useWords();
  const baseline = entries.find((e) => e.baseline);
  const range = blockRange(spec, blocks);
  const stopping = stoppingOf(
    w,
    range,
    spec.precision == null ? null : precisionInWords(spec.precision),
    over ? endOf(trials, labels) : null,
  );
  return (
    <Facts
      columns={1}
      rows={[
        ...scenarios.map(
          (s) =>
            [
              scenarios.length > 1 ? w.title(plainLine(s.title)) : w.t("report.method.load"),
              w.t("report.method.loadLine", {
                tool: s.tool,
                workload: s.workload,
                path: s.path,
                load: loadInWords(w, s.load),
                seconds: secondsInWords(w, s, spec, trials),
              }),
              LOAD_TERMS[s.load.kind],
            ] as const,
        ),
        [
          w.t("report.method.order"),
          w.t("report.method.orderLine", {
            blocks: blocksOf(w, range),
            within: withinBlock(w, trials),
            seed: String(spec.seed),
          }),
          "block",
        ],
        ...(stopping ? [[w.t("report.method.blocks"), stopping] as const] : []),
        [w.t("report.method.host"), disturbedInWords(w, trials)],
        [w.t("report.method.time"), time && timeInWords(w, time)],
        [w.t("report.method.baseline"), baseline ? w.name(plainLine(baseline.label)) : null, "baseline"],
        ...entries.map(
          (e) =>
            [
              w.name(plainLine(e.label)),
              <span key={e.key}>
                <Text
                  text={w.name(
                    [
                      plainLine(e.title),
                      ...Object.entries(e.options).map(([k, v]) => `${plainLine(k)} ${v}`),
                    ].join(", "),
                  )}
                />
                {w.t("report.method.content")}{" "}
                <code title={e.content_hash}>{e.content_hash.slice(0, 12)}</code>
                {e.revision && <AtCommit revision={e.revision} />}
              </span>,
            ] as const,
        ),
      ]}
    />
  );
}

/** Only of a server that was named by the path of a folder under version control. */
function AtCommit({ revision }: { revision: Revision }) {
  const { t } = useWords();
  return (
    <>
      {t("report.method.commit")} <code title={revision.commit}>{revision.commit.slice(0, 12)}</code>
      {revision.ref && (
        <>
          {" "}
          (<bdi>{plainLine(revision.ref)}</bdi>)
        </>
      )}
      {revision.dirty && t("report.method.dirty")}
    </>
  );
}

const LOAD_TERMS: Record<Load["kind"], TermId> = {
  closed: "closed-loop",
  count: "closed-loop",
  rate: "open-loop",
  knee: "knee",
};

/** Whole trials one after another, or slices in mirrored rounds. */
function withinBlock(w: Words, trials: readonly TrialView[]): string {
  const sliced = trials.filter((t) => t.slices > 1);
  const [first] = sliced;
  if (!first) return w.t("report.method.withinWhole");
  const slice = formatDuration(first.duration_s / first.slices);
  const told = w.t("report.method.withinSliced", { n: first.slices, slice });
  return sliced.length < trials.length ? w.t("report.method.withinSome", { sliced: told }) : told;
}
