import type { PlanBlocks, PlanEntry, RunSpec, Scenario } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import { blocksInWords } from "@rigmark/results/blocks";
import type { SeriesStyle } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { PlanGrid } from "../run/plan-grid";

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
  const { spec, entries, scenarios, blocks, trials } = run;
  if (trials.length === 0) return null;
  return (
    <details className="mt-3" data-plan>
      <summary>The plan: {blocksInWords(spec, blocks)}, and the order in each</summary>
      <div className="mt-2 space-y-3">
        <p className="max-w-[70ch] text-ink-2">
          The figure is the place in its block, drawn from seed {spec.seed}. ✓ valid, ! invalid, × failed, –
          cancelled.
        </p>
        {scenarios.map((s) => (
          <div key={s.id}>
            {scenarios.length > 1 && <h3 className="mb-1">{plainLine(s.title)}</h3>}
            <PlanGrid
              spec={spec}
              entries={entries.filter((e) =>
                trials.some((t) => t.scenario === s.id && t.entry_key === e.key),
              )}
              planned={blocks}
              trials={trials.filter((t) => t.scenario === s.id)}
              styles={styles}
              name={scenarios.length > 1 ? `Plan of ${plainLine(s.title)}` : "Plan"}
              places
            />
          </div>
        ))}
      </div>
    </details>
  );
}
