import type { RunView } from "@rigmark/results";
import type { SeriesStyle } from "@/lib/series-style";
import { EnvironmentList } from "../result/environment-list";
import { LabelList } from "../result/label-list";
import { MethodList } from "../result/method-list";
import { PlanFold } from "../result/plan-fold";
import { VerifyList } from "../result/verify-list";

/** Verification, method and environment: why the figures may be believed. */
export function RunBackground({ run, styles }: { run: RunView; styles: Map<string, SeriesStyle> }) {
  if (run.entries.length === 0) return null;
  return (
    <>
      <section>
        <h2 className="mb-2">Verification</h2>
        <VerifyList verify={run.verify} conformance={run.conformance} entries={run.entries} />
      </section>
      {run.labels.length > 0 && (
        <section>
          <h2 className="mb-2">Labels</h2>
          <LabelList labels={run.labels} entries={run.entries} />
        </section>
      )}
      <section>
        <h2 className="mb-2">Method</h2>
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
      </section>
      <section>
        <h2 className="mb-2">Environment</h2>
        {run.environment ? (
          <EnvironmentList environment={run.environment} />
        ) : (
          <p className="text-ink-2">The host has not reported it.</p>
        )}
      </section>
    </>
  );
}
