"use client";

import type { LatencyCurve } from "@rigmark/results";
import { scenarioAnchor } from "@rigmark/results/anchor";
import { useMemo } from "react";
import type { LiveRun } from "@/lib/live";
import { blockName, type ResultRun } from "@/lib/results/shape";
import type { SeriesStyle } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { ScenarioResults } from "../result/scenario-results";
import { TrialSpread } from "../result/trial-spread";
import { TrialsTable } from "../result/trials-table";
import { Anchored } from "../ui/anchor";
import { HistoryLinks } from "./history-links";
import { RawOutput } from "./raw-output";

interface RunResultsProps {
  workspace: string;
  live: LiveRun;
  scenario: string;
  curves: readonly LatencyCurve[];
  styles: Map<string, SeriesStyle>;
}

/** Results of a scenario: as far as they are there while the run lives, whole afterwards. */
export function RunResults({ workspace, live, scenario, curves, styles }: RunResultsProps) {
  const w = useWords();
  const { run } = live;
  const shown: ResultRun = useMemo(() => ({ ...run, series: [...live.series.values()] }), [run, live.series]);
  const ended = run.trials.filter(
    (t) => t.scenario === scenario && t.state !== "planned" && t.state !== "running",
  );
  if (ended.length === 0)
    return run.final ? (
      <p className="text-ink-2">
        No trial was measured. {run.error ? "The reason is above." : "See the log for details."}
      </p>
    ) : null;
  const label = (key: string) => plainLine(run.entries.find((e) => e.key === key)?.label ?? "unknown entry");
  const anchor = scenarioAnchor(scenario);
  // A history consists of the host's own runs that succeeded.
  const followed = run.state === "succeeded" && run.published_by === null;
  return (
    <>
      <section id={anchor} className="scroll-mt-4 space-y-2">
        <Anchored
          href={`?scenario=${encodeURIComponent(scenario)}#${anchor}`}
          title={plainLine(run.scenarios.find((s) => s.id === scenario)?.title ?? scenario)}
        >
          <h2>{run.final ? "Results" : "Results so far"}</h2>
        </Anchored>
        {followed && (
          <HistoryLinks
            workspace={workspace}
            hostId={run.host.host_id}
            scenario={scenario}
            entries={run.entries.filter(({ key }) => ended.some((t) => t.entry_key === key))}
          />
        )}
        <ScenarioResults
          run={shown}
          scenario={scenario}
          curves={curves}
          styles={styles}
          name={plainLine(run.title) || run.run_id.slice(0, 8)}
        />
      </section>
      <section>
        <h2 className="mb-2">Trials</h2>
        <TrialsTable
          trials={ended}
          entries={run.entries}
          scenarios={run.scenarios.filter((s) => s.id === scenario)}
          styles={styles}
          raw={(trial) => (
            <RawOutput
              workspace={workspace}
              runId={run.run_id}
              trialId={trial.trial_id}
              name={`${label(trial.entry_key)}, ${blockName(w, trial.block)}`}
            />
          )}
        />
        <TrialSpread
          run={run}
          scenarios={run.scenarios.filter((s) => s.id === scenario)}
          styles={styles}
          name={plainLine(run.title) || run.run_id.slice(0, 8)}
        />
      </section>
    </>
  );
}
