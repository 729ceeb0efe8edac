import { formatDuration, formatQuantity } from "@rigmark/metrics";
import type { ReportRun } from "@rigmark/results";
import { blockRange } from "@rigmark/results/blocks";
import { capital, runName } from "@rigmark/results/comparable";
import { hasChinese, type Language } from "@rigmark/results/language";
import type { ReactNode } from "react";
import type { ResultRun } from "@/lib/results/shape";
import type { SeriesStyle } from "@/lib/series-style";
import { plainLine, plainText } from "@/lib/text";
import { CompareByCost } from "../result/compare-by-cost";
import { EnvironmentList } from "../result/environment-list";
import { LabelList } from "../result/label-list";
import { MethodList } from "../result/method-list";
import { OverviewTables } from "../result/overview";
import { PlanFold } from "../result/plan-fold";
import { RepeatThis } from "../result/repeat-this";
import { ScenarioResults } from "../result/scenario-results";
import { TrialSpread } from "../result/trial-spread";
import { TrialsTable } from "../result/trials-table";
import { VerifyList } from "../result/verify-list";

/** A frozen run: verdict, then charts with their tables, then why they may be believed. */
export function ReportRunView({
  run,
  language,
  styles,
  place,
}: {
  run: ReportRun;
  /** Of the sentences of its summary. */
  language: Language;
  /** Of all runs of the report: the same entry looks the same in each. */
  styles: Map<string, SeriesStyle>;
  /** Among several runs; null where it is the only one. */
  place: number | null;
}) {
  const Part = place === null ? WholePart : RunPart;
  const name = place === null ? plainLine(run.title) : `${plainLine(run.title)} ${runName(place)}`;
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
    <article className="space-y-8" id={place === null ? undefined : anchorOf(place)}>
      {place !== null && (
        <h2 className="border-line-strong border-t pt-4 text-[1.25rem] [overflow-wrap:anywhere]">
          {capital(runName(place))}: <bdi>{plainLine(run.title)}</bdi>
        </h2>
      )}
      <div className="space-y-3">
        <p
          className="max-w-[70ch] border-accent border-l-2 pl-4 text-[1.25rem] leading-snug"
          data-verdict
          lang={langOf(run, language)}
        >
          {run.summary ? plainLine(run.summary.sentence) : "This run has no result that could be summed up."}
        </p>
        <p className="text-ink-2">{inBrief(run)}</p>
        <CompareByCost run={run} />
        {run.gaps.map((gap) => (
          <p key={gap} className="note" data-tone="warn">
            {plainText(gap)}
          </p>
        ))}
      </div>
      {run.scenarios.length > 1 && (
        <Part title="Overview">
          <OverviewTables run={run} suite={run.suite} name={name} />
        </Part>
      )}
      {run.scenarios.map((scenario) => (
        <Part key={scenario.id} title={run.scenarios.length > 1 ? plainLine(scenario.title) : "Results"}>
          <ScenarioResults
            run={scenarioOnly(shown, scenario.id)}
            scenario={scenario.id}
            curves={run.curves}
            lang={langOf(run, language)}
            styles={styles}
            name={name}
          />
        </Part>
      ))}
      <Part title="Trials">
        <TrialsTable trials={ended} entries={run.entries} scenarios={run.scenarios} styles={styles} />
        <TrialSpread run={run} scenarios={run.scenarios} styles={styles} name={name} />
      </Part>
      <Part title="Verification">
        <VerifyList verify={run.verify} conformance={run.conformance} entries={run.entries} />
      </Part>
      <Part title="Method">
        <MethodList
          spec={run.spec}
          scenarios={run.scenarios}
          entries={run.entries}
          blocks={run.blocks}
          trials={run.trials}
          labels={run.labels}
          time={run.time}
          over
        />
        <PlanFold run={run} styles={styles} />
      </Part>
      <Part title="Environment">
        {run.environment ? (
          <EnvironmentList environment={run.environment} />
        ) : (
          <p className="text-ink-2">The host did not report it.</p>
        )}
      </Part>
      <Part title="Limits">
        <div className="space-y-2">
          <LabelList labels={run.labels} entries={run.entries} />
          <p className="note">
            These figures hold for this host, these versions and this load. Figures of different tools are not
            comparable.
            {blockRange(run.spec, run.blocks).most < 5 && " With fewer than five blocks there is no verdict."}
          </p>
        </div>
      </Part>
      <Part title="Repeat this">
        <RepeatThis run={run} />
      </Part>
    </article>
  );
}

interface PartProps {
  title: string;
  children: ReactNode;
}
const WholePart = ({ title, children }: PartProps) => (
  <section className="space-y-2">
    <h2>{title}</h2>
    {children}
  </section>
);
/** The same below the heading of its run. */
const RunPart = ({ title, children }: PartProps) => (
  <section className="space-y-2">
    <h3 className="text-[1.0715rem]">{title}</h3>
    {children}
  </section>
);

/** Reports from before there was Chinese have English sentences only. */
export const langOf = (run: ReportRun, language: Language): Language =>
  language === "zh" && hasChinese(run.summary) ? "zh" : "en";

export const anchorOf = (place: number): string => `run-${place + 1}`;

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
