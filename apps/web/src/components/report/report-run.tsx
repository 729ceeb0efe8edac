import { blockRange } from "@rigmark/domain/blocks";
import { hasChinese, type Language } from "@rigmark/domain/language";
import type { ReportRun } from "@rigmark/domain/views";
import { formatDuration, formatQuantity } from "@rigmark/metrics";
import type { ResultRun } from "@/lib/results/shape";
import { assignStyles } from "@/lib/series-style";
import { plainLine, plainText } from "@/lib/text";
import { EnvironmentList } from "../result/environment-list";
import { LabelList } from "../result/label-list";
import { MethodList } from "../result/method-list";
import { OverviewTables } from "../result/overview";
import { RepeatThis } from "../result/repeat-this";
import { ScenarioResults } from "../result/scenario-results";
import { TrialSpread } from "../result/trial-spread";
import { TrialsTable } from "../result/trials-table";
import { VerifyList } from "../result/verify-list";

/** A frozen run: verdict, then charts with their tables, then why they may be believed. */
export function ReportRunView({
  run,
  language,
  heading,
}: {
  run: ReportRun;
  /** Of the sentences of its summary. */
  language: Language;
  heading: boolean;
}) {
  const styles = assignStyles(run.entries.map((e) => e.key));
  const ended = run.trials.filter((t) => t.state !== "planned" && t.state !== "running");
  // Only what the figures draw travels to the browser.
  const shown: ResultRun = {
    entries: run.entries,
    scenarios: run.scenarios,
    trials: run.trials,
    verify: [],
    summary: run.summary,
    series: run.series,
  };
  return (
    <article className="space-y-8">
      {heading && <h2>{plainLine(run.title)}</h2>}
      <div className="space-y-3">
        <p
          className="max-w-[70ch] border-accent border-l-2 pl-4 text-[1.25rem] leading-snug"
          data-verdict
          lang={langOf(run, language)}
        >
          {run.summary ? plainLine(run.summary.sentence) : "This run has no result that could be summed up."}
        </p>
        <p className="text-ink-2">{inBrief(run)}</p>
        {run.gaps.map((gap) => (
          <p key={gap} className="note" data-tone="warn">
            {plainText(gap)}
          </p>
        ))}
      </div>
      {run.scenarios.length > 1 && (
        <section>
          <h2 className="mb-2">Overview</h2>
          <OverviewTables run={run} suite={run.suite} />
        </section>
      )}
      {run.scenarios.map((scenario) => (
        <section key={scenario.id} className="space-y-3">
          <h2>{run.scenarios.length > 1 ? plainLine(scenario.title) : "Results"}</h2>
          <ScenarioResults
            run={scenarioOnly(shown, scenario.id)}
            scenario={scenario.id}
            curves={run.curves}
            lang={langOf(run, language)}
            styles={styles}
            name={plainLine(run.title)}
          />
        </section>
      ))}
      <section>
        <h2 className="mb-2">Trials</h2>
        <TrialsTable trials={ended} entries={run.entries} scenarios={run.scenarios} styles={styles} />
        <TrialSpread run={run} scenarios={run.scenarios} styles={styles} name={plainLine(run.title)} />
      </section>
      <section>
        <h2 className="mb-2">Verification</h2>
        <VerifyList verify={run.verify} entries={run.entries} />
      </section>
      <section>
        <h2 className="mb-2">Method</h2>
        <MethodList
          spec={run.spec}
          scenarios={run.scenarios}
          entries={run.entries}
          blocks={run.blocks}
          trials={run.trials}
          over
        />
      </section>
      <section>
        <h2 className="mb-2">Environment</h2>
        {run.environment ? (
          <EnvironmentList environment={run.environment} />
        ) : (
          <p className="text-ink-2">The host did not report it.</p>
        )}
      </section>
      <section>
        <h2 className="mb-2">Limits</h2>
        <div className="space-y-2">
          <LabelList labels={run.labels} entries={run.entries} />
          <p className="note">
            These figures hold for this host, these versions and this load. Figures of different tools are not
            comparable.
            {blockRange(run.spec, run.blocks).most < 5 && " With fewer than five blocks there is no verdict."}
          </p>
        </div>
      </section>
      <section>
        <h2 className="mb-2">Repeat this</h2>
        <RepeatThis run={run} />
      </section>
    </article>
  );
}

/** Reports from before there was Chinese have English sentences only. */
const langOf = (run: ReportRun, language: Language): Language =>
  language === "zh" && hasChinese(run.summary) ? "zh" : "en";

const scenarioOnly = (run: ResultRun, scenario: string): ResultRun => {
  const trials = run.trials.filter((t) => t.scenario === scenario);
  const ids = new Set(trials.map((t) => t.trial_id));
  return { ...run, trials, series: run.series.filter((s) => ids.has(s.trial_id)) };
};

function inBrief(run: ReportRun): string {
  const { host, started_at, finished_at } = run;
  const valid = run.trials.filter((t) => t.state === "valid").length;
  const took = started_at && finished_at ? (Date.parse(finished_at) - Date.parse(started_at)) / 1000 : null;
  return [
    plainLine(host.name),
    host.cpus_online === null ? null : `${host.cpus_online} CPUs`,
    host.memory_bytes === null ? null : formatQuantity(host.memory_bytes, "bytes"),
    host.os_name === null ? null : plainLine(host.os_name),
    host.arch,
    `${valid} of ${run.trials.length} trials valid`,
    took === null ? null : `took ${formatDuration(took)}`,
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
