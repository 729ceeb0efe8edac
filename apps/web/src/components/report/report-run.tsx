import { runOf, type Words } from "@rigmark/messages";
import type { ReportRun } from "@rigmark/results";
import { scenarioAnchor } from "@rigmark/results/anchor";
import { blockRange } from "@rigmark/results/blocks";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { repeatPath } from "@/lib/repeat-path";
import {
  environmentLine,
  hasFailed,
  methodLine,
  sureLine,
  trialsLine,
  verifyLine,
} from "@/lib/results/fold-lines";
import { legendOf } from "@/lib/results/legend";
import type { SeriesStyle } from "@/lib/series-style";
import { plainLine, plainText } from "@/lib/text";
import { useWords } from "@/lib/words";
import { EntryLegend } from "../chart/entry-filter";
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
import { SourceLine } from "../run/source-line";
import { Anchored } from "../ui/anchor";
import { Fold } from "../ui/fold";
import { Text } from "../ui/text";
import { langOf } from "./lang-of";

/** A frozen run as an argument: the verdict, how sure it is, why it came out so, and then the evidence, folded where it is long. */
export function ReportRunView({
  slug,
  run,
  styles,
  place,
}: {
  /** Of the report. */
  slug: string;
  run: ReportRun;
  /** Of all runs of the report: the same entry looks the same in each. */
  styles: Map<string, SeriesStyle>;
  /** Among several runs; null where it is the only one. */
  place: number | null;
}) {
  const w = useWords();
  const t = useTranslations("report");
  const level = place === null ? 2 : 3;
  const sure = sureLine(w, run);
  const name =
    place === null
      ? plainLine(run.title)
      : `${plainLine(run.title)} ${w.t("report.runs.name", { n: place + 1 })}`;
  const ended = run.trials.filter((t) => t.state !== "planned" && t.state !== "running");
  const anchorIn = (scenario: string) => scenarioAnchor(scenario, (place ?? 0) + 1);
  return (
    <article className="space-y-8" id={place === null ? undefined : anchorOf(place)}>
      {place !== null && (
        <h2 className="border-line-strong border-t pt-4 text-[1.25rem] [overflow-wrap:anywhere]">
          {t.rich("runs.heading", {
            run: runOf(w, place),
            title: () => <bdi key="title">{plainLine(run.title)}</bdi>,
          })}
        </h2>
      )}
      <div className="space-y-3">
        <p
          className="max-w-[70ch] border-accent border-l-2 pl-4 text-[1.25rem] leading-snug"
          data-verdict
          lang={langOf(w, run)}
        >
          <Text text={run.summary ? w.sentence(plainLine(run.summary.sentence)) : t("noResult")} />
        </p>
        <p className="text-ink-2">
          <Text text={inBrief(w, run)} />
        </p>
        {sure && (
          <p className="max-w-[70ch] text-ink-2" data-sure>
            <Text text={sure} />
          </p>
        )}
        {run.source && (
          <p className="text-ink-2">
            <SourceLine source={run.source} />
          </p>
        )}
        {run.published_by && (
          <p className="text-ink-2" data-published>
            <Text text={w.t("report.published", { name: w.name(plainLine(run.published_by)) })} />
          </p>
        )}
        <CompareByCost run={run} />
        {run.gaps.map((gap) => (
          <p key={gap} className="note" data-tone="warn">
            <Text text={w.phrase(plainText(gap))} />
          </p>
        ))}
      </div>
      {run.scenarios.length > 1 && (
        <Part title={t("parts.overview")} level={level}>
          <OverviewTables
            run={run}
            suite={run.suite}
            name={name}
            hrefOf={(scenario) => `#${anchorIn(scenario.id)}`}
          />
        </Part>
      )}
      <EntryLegend entries={legendOf(run.entries, styles)} />
      {run.scenarios.map((scenario) => (
        <Part
          key={scenario.id}
          title={w.title(plainLine(scenario.title))}
          level={level}
          id={anchorIn(scenario.id)}
        >
          <ScenarioResults run={run} scenario={scenario.id} curves={run.curves} styles={styles} name={name} />
        </Part>
      ))}
      <Part title={t("parts.limits")} level={level}>
        <div className="space-y-2">
          <LabelList labels={run.labels} entries={run.entries} />
          <p className="note">
            {w.sentences([t("holdFor"), blockRange(run.spec, run.blocks).most < 5 && t("fewBlocks")])}
          </p>
        </div>
      </Part>
      <Fold title={t("parts.trials")} line={trialsLine(w, run.trials)} level={level}>
        <TrialsTable trials={ended} entries={run.entries} scenarios={run.scenarios} styles={styles} />
        <TrialSpread run={run} scenarios={run.scenarios} styles={styles} name={name} />
      </Fold>
      <Fold
        title={t("parts.verification")}
        line={verifyLine(w, run.verify)}
        level={level}
        open={hasFailed(run.verify)}
      >
        <VerifyList verify={run.verify} conformance={run.conformance} entries={run.entries} />
      </Fold>
      <Fold title={t("parts.method")} line={methodLine(w, run)} level={level}>
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
      </Fold>
      <Fold title={t("parts.environment")} line={environmentLine(w, run.environment)} level={level}>
        {run.environment ? (
          <EnvironmentList environment={run.environment} />
        ) : (
          <p className="text-ink-2">{t("notReported")}</p>
        )}
      </Fold>
      <Part title={t("parts.repeat")} level={level}>
        <RepeatThis
          run={run}
          action={
            <p className="no-print">
              <a className="btn" href={repeatPath(slug, (place ?? 0) + 1)} rel="nofollow">
                {t("repeat.onMyHost")}
              </a>
            </p>
          }
        />
      </Part>
    </article>
  );
}

interface PartProps {
  title: string;
  /** Of its heading: 3 below the heading of a run. */
  level: 2 | 3;
  /** Of a part that others can be sent to. */
  id?: string;
  children: ReactNode;
}

function Part({ title, level, id, children }: PartProps) {
  const Heading = level === 2 ? "h2" : "h3";
  const heading = (
    <Heading className={level === 2 ? undefined : "text-[1.0715rem]"}>
      <Text text={title} />
    </Heading>
  );
  return (
    <section className="scroll-mt-4 space-y-2" id={id}>
      {id === undefined ? (
        heading
      ) : (
        <Anchored href={`#${id}`} title={title}>
          {heading}
        </Anchored>
      )}
      {children}
    </section>
  );
}

export const anchorOf = (place: number): string => `run-${place + 1}`;

function inBrief(w: Words, run: ReportRun): string {
  const { host, started_at, finished_at } = run;
  const valid = run.trials.filter((t) => t.state === "valid").length;
  const took = started_at && finished_at ? (Date.parse(finished_at) - Date.parse(started_at)) / 1000 : null;
  return [
    w.name(plainLine(host.name)),
    host.cpus_online === null ? null : w.t("report.brief.cpus", { n: host.cpus_online }),
    host.memory_bytes === null ? null : w.quantity(host.memory_bytes, "bytes"),
    host.os_name === null ? null : w.name(plainLine(host.os_name)),
    host.arch && w.name(host.arch),
    w.t("report.brief.valid", { valid, all: run.trials.length }),
    took === null ? null : w.t("report.brief.took", { time: w.duration(took) }),
  ]
    .filter((part) => part !== null)
    .join(" · ");
}
