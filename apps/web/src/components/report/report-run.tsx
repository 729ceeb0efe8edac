import { runOf, type Words } from "@rigmark/messages";
import type { ReportRun } from "@rigmark/results";
import { blockRange } from "@rigmark/results/blocks";
import { hasChinese, type Language } from "@rigmark/results/language";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { ResultRun } from "@/lib/results/shape";
import type { SeriesStyle } from "@/lib/series-style";
import { plainLine, plainText } from "@/lib/text";
import { useWords } from "@/lib/words";
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
import { Said } from "../ui/said";

/** A frozen run: verdict, then charts with their tables, then why they may be believed. */
export function ReportRunView({
  run,
  styles,
  place,
}: {
  run: ReportRun;
  /** Of all runs of the report: the same entry looks the same in each. */
  styles: Map<string, SeriesStyle>;
  /** Among several runs; null where it is the only one. */
  place: number | null;
}) {
  const w = useWords();
  const t = useTranslations("report");
  const Part = place === null ? WholePart : RunPart;
  const name =
    place === null
      ? plainLine(run.title)
      : `${plainLine(run.title)} ${w.t("report.runs.name", { n: place + 1 })}`;
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
          <Said text={run.summary ? w.sentence(plainLine(run.summary.sentence)) : t("noResult")} />
        </p>
        <p className="text-ink-2">
          <Said text={inBrief(w, run)} />
        </p>
        {run.source && (
          <p className="text-ink-2">
            <SourceLine source={run.source} />
          </p>
        )}
        {run.published_by !== null && (
          <p className="text-ink-2" data-published>
            <Said text={w.t("report.published", { name: w.name(plainLine(run.published_by)) })} />
