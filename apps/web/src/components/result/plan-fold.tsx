import { bare, blocksOf } from "@rigmark/messages";
import type { PlanBlocks, PlanEntry, RunSpec, Scenario } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import { blockRange } from "@rigmark/results/blocks";
import type { SeriesStyle } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { PlanGrid } from "../run/plan-grid";
import { Text } from "../ui/text";

/** The plan of a run that is over, folded: in which order each block was measured, and how each trial ended. */
export function PlanFold({
  run,
  styles,
}: {
  run: {
    spec: RunSpec;
    entries: readonly PlanEntry[];
    scenarios: readonly Scenario[];
    blocks: PlanBlocks | null;
    trials: readonly TrialView[];
  };
  styles: Map<string, SeriesStyle>;
}) {
  const w = useWords();
  const { spec, entries, scenarios, blocks, trials } = run;
  if (trials.length === 0) return null;
  return (
    <details className="mt-3" data-plan>
      <summary>{w.t("report.method.plan", { blocks: blocksOf(w, blockRange(spec, blocks)) })}</summary>
      <div className="mt-2 space-y-3">
        <p className="max-w-[70ch] text-ink-2">
          {w.t("report.method.planNote", { seed: String(spec.seed) })}
        </p>
        {scenarios.map((s) => (
          <div key={s.id}>
            {scenarios.length > 1 && (
              <h3 className="mb-1">
                <Text text={w.title(plainLine(s.title))} />
              </h3>
            )}
            <PlanGrid
              spec={spec}
              entries={entries.filter((e) =>
                trials.some((t) => t.scenario === s.id && t.entry_key === e.key),
              )}
              planned={blocks}
              trials={trials.filter((t) => t.scenario === s.id)}
              styles={styles}
              name={
                scenarios.length > 1
                  ? bare(w.t("report.method.planOf", { title: w.title(plainLine(s.title)) }))
                  : w.t("report.method.planName")
              }
              places
            />
          </div>
        ))}
      </div>
    </details>
  );
}
