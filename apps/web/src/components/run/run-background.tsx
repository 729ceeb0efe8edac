import type { RunView } from "@rigmark/results";
import { environmentLine, hasFailed, methodLine, verifyLine } from "@/lib/results/fold-lines";
import type { SeriesStyle } from "@/lib/series-style";
import { useWords } from "@/lib/words";
import { EnvironmentList } from "../result/environment-list";
import { LabelList } from "../result/label-list";
import { MethodList } from "../result/method-list";
import { PlanFold } from "../result/plan-fold";
import { VerifyList } from "../result/verify-list";
import { Fold } from "../ui/fold";

/** Labels, and folded: verification, method and environment. Why the figures may be believed. */
export function RunBackground({ run, styles }: { run: RunView; styles: Map<string, SeriesStyle> }) {
  const w = useWords();
  if (run.entries.length === 0) return null;
  return (
    <>
      {run.labels.length > 0 && (
        <section>
          <h2 className="mb-2">Labels</h2>
          <LabelList labels={run.labels} entries={run.entries} />
        </section>
      )}
      <Fold title="Verification" line={verifyLine(w, run.verify)} open={hasFailed(run.verify)}>
        <VerifyList verify={run.verify} conformance={run.conformance} entries={run.entries} />
      </Fold>
      <Fold title="Method" line={methodLine(w, run)}>
        <MethodList
          spec={run.spec}
          scenarios={run.scenarios}
          entries={run.entries}
          blocks={run.blocks}
          trials={run.trials}
          labels={run.labels}
          time={run.time}
          over={run.final}
        />
        {run.final && <PlanFold run={run} styles={styles} />}
      </Fold>
      <Fold title="Environment" line={environmentLine(w, run.environment)}>
        {run.environment ? (
          <EnvironmentList environment={run.environment} />
        ) : (
          <p className="text-ink-2">The host has not reported it.</p>
        )}
      </Fold>
    </>
  );
}
