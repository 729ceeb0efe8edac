"use client";

import type { LatencyCurve, LogView, RunView, TrialSeries } from "@rigmark/results";
import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import { readPicked, storePicked } from "@/lib/picked-runs";
import { sureLine } from "@/lib/results/fold-lines";
import { legendOf } from "@/lib/results/legend";
import { runsPath } from "@/lib/run-filter";
import { assignStyles } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { useTRPC } from "@/trpc/client";
import { EntryFilter, EntryLegend } from "../chart/entry-filter";
import { CompareByCost } from "../result/compare-by-cost";
import { OverviewTables } from "../result/overview";
import { RepeatThis } from "../result/repeat-this";
import { RepeatRun } from "../schedule/repeat-run";
import { useMay } from "../shell/may";
import { Confirm } from "../ui/confirm";
import { PageHead } from "../ui/page-head";
import { Problem } from "../ui/problem";
import { Text } from "../ui/text";
import { TimeAgo } from "../ui/time-ago";
import { useFocusBack } from "../ui/use-focus-back";
import { LiveCharts } from "./live-charts";
import { LiveStatus } from "./live-status";
import { LogTail } from "./log-tail";
import { PlanGrid } from "./plan-grid";
import { RunBackground } from "./run-background";
import { RunLine } from "./run-line";
import { RunNameField } from "./run-name-field";
import { RunNotes } from "./run-notes";
import { RunResults } from "./run-results";
import { RunTroubles } from "./run-troubles";
import { ScenarioTabs } from "./scenario-tabs";
import { ShareRun } from "./share-run";
import { TickingLink } from "./ticking-link";
import { useLiveRun } from "./use-live-run";

interface RunPageProps {
  workspace: string;
  initial: RunView;
  series: TrialSeries[];
  /** Null while the run lives. */
  curves: LatencyCurve[] | null;
  logs: LogView[];
  /** No older lines than `logs`. */
  logsComplete: boolean;
  /** Once it has ended it can be deleted. */
  mayDelete: boolean;
}

const NO_CURVES: LatencyCurve[] = [];

export function RunPage({ workspace, initial, series, curves, logs, logsComplete, mayDelete }: RunPageProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const { live, streaming, lost, heardAt, edited } = useLiveRun(workspace, initial, series, logs);
  const [naming, setNaming] = useState(false);
  const rename = useFocusBack(naming);
  const mayChange = useMay("queue");
  const { run } = live;
  const styles = useMemo(() => assignStyles(run.entries.map((e) => e.key)), [run.entries]);
  const legend = useMemo(() => legendOf(run.entries, styles), [run.entries, styles]);
  const merged = useQuery(
    trpc.run.curves.queryOptions(
      { workspace, runId: run.run_id },
      {
        // Histograms are added when all are there; until then the tool's own percentiles are shown.
        enabled: run.final,
        staleTime: Number.POSITIVE_INFINITY,
        ...(curves ? { initialData: { curves } } : {}),
      },
    ),
  );
  const cancel = useMutation(trpc.run.cancel.mutationOptions());
  // The page then says that it was deleted, and takes it back.
  const remove = useMutation(
    trpc.run.delete.mutationOptions({
      onSuccess: () => {
        storePicked(
          workspace,
          readPicked(workspace).filter((each) => each.run_id !== run.run_id),
        );
        router.refresh();
      },
    }),
  );
  const currentScenario = run.trials.find((t) => t.trial_id === run.current?.trial_id)?.scenario;
  const [wanted, setScenario] = useQueryState("scenario", parseAsString);
  const scenario =
    run.scenarios.find((s) => s.id === wanted)?.id ?? currentScenario ?? run.scenarios[0]?.id ?? null;
  const gridTrials = useMemo(() => run.trials.filter((t) => t.scenario === scenario), [run.trials, scenario]);
  const title = plainLine(run.title) || run.spec.entries.map((e) => plainLine(e.label)).join(", ");
  const measured = run.trials.some((t) => ["valid", "invalid", "failed"].includes(t.state));
  const w = useWords();
  const sure = useMemo(() => sureLine(w, run), [w, run]);
  const shareable = run.final && run.summary !== null && measured;
  return (
    <>
      <PageHead
        title={
          naming ? (
            <RunNameField
              workspace={workspace}
              runId={run.run_id}
              name={title}
              onSaved={(words) => {
                edited(words);
                // The title of the page, too.
                router.refresh();
              }}
              onEnd={() => setNaming(false)}
            />
          ) : (
            <bdi>{title}</bdi>
          )
        }
        beside={
          !naming &&
          mayChange && (
            <button
              ref={rename}
              type="button"
              className="btn no-print"
              data-kind="quiet"
              data-size="small"
              onClick={() => setNaming(true)}
            >
              Rename
            </button>
          )
        }
        actions={
          <>
            {!run.final && mayChange && (
              <Confirm
                trigger="Cancel run"
                title="Cancel this run?"
                action="Cancel run"
                keep="Let it run"
                disabled={run.cancel_requested}
                run={() => cancel.mutateAsync({ workspace, runId: run.run_id })}
              >
                {run.state === "queued"
                  ? "It leaves the queue at once. Nothing has been measured."
                  : "The host stops the load and the servers within seconds. Finished trials are kept; the one that is running is lost."}
              </Confirm>
            )}
            {run.final && mayDelete && (
              <button
                type="button"
                className="btn"
                data-kind="danger"
                disabled={remove.isPending || remove.isSuccess}
                onClick={() => remove.mutate({ workspace, runIds: [run.run_id] })}
              >
                Delete
              </button>
            )}
            {run.final && mayChange && (
              <Link className="btn" href={`/w/${workspace}/runs/new?from=${run.run_id}`}>
                Run again
              </Link>
            )}
            {mayChange && <RepeatRun workspace={workspace} run={run} />}
            {measured && (
              <TickingLink
                workspace={workspace}
                href={runsPath(workspace, { host: [run.host.host_id] })}
                runs={[{ run_id: run.run_id, measured, ended: run.final }]}
                keep
              >
                Compare…
              </TickingLink>
            )}
            {shareable && mayChange && (
              <ShareRun workspace={workspace} run={run} onShared={() => router.refresh()} />
            )}
          </>
        }
      >
        <RunLine workspace={workspace} run={run} />
        <RunNotes workspace={workspace} run={run} onSaved={edited} />
      </PageHead>
      {remove.error && <Problem message={remove.error.message} className="mb-5" />}
      {lost !== null && <Problem message={`${lost} What you see is no longer updated.`} className="mb-5" />}
      {lost === null && heardAt !== null && (
        <p className="note mb-5" data-tone="bad">
          <span role="alert">The app cannot be reached.</span> Last update <TimeAgo at={heardAt} />.
        </p>
      )}
      <div className="space-y-8">
        <RunTroubles run={run} />
        {!run.final && <LiveStatus run={run} polling={!streaming && lost === null && heardAt === null} />}
        {run.final && run.summary && (
          <div className="space-y-3">
            <p
              className="max-w-[70ch] border-accent border-l-2 pl-4 text-[1.25rem] leading-snug"
              data-verdict
            >
              {plainLine(run.summary.sentence)}
            </p>
            {sure && (
              <p className="max-w-[70ch] text-ink-2" data-sure>
                <Text text={sure} />
              </p>
            )}
          </div>
        )}
        {run.final && <CompareByCost run={run} from={{ workspace, runId: run.run_id }} />}
        {run.final && run.summary && run.scenarios.length > 1 && (
          <section>
            <h2 className="mb-2">Overview</h2>
            <OverviewTables
              run={run}
              suite={run.suite}
              name={plainLine(run.title) || run.run_id.slice(0, 8)}
            />
          </section>
        )}
        {scenario && run.scenarios.length > 1 && (
          <ScenarioTabs
            scenarios={run.scenarios}
            summary={run.summary}
            value={scenario}
            onChange={setScenario}
          />
        )}
        {!run.final && (
          <PlanGrid
            spec={run.spec}
            entries={run.entries}
            planned={run.blocks}
            trials={gridTrials}
            styles={styles}
          />
        )}
        <EntryFilter entries={legend}>
          <EntryLegend entries={legend} />
          {!run.final && <LiveCharts live={live} styles={styles} />}
          {scenario && (
            <RunResults
              workspace={workspace}
              live={live}
              scenario={scenario}
              curves={merged.data?.curves ?? NO_CURVES}
              styles={styles}
            />
          )}
        </EntryFilter>
        <LogTail
          // A new attempt has a log of its own.
          key={run.attempt_no}
          workspace={workspace}
          runId={run.run_id}
          lines={live.logs}
          entries={run.entries}
          live={!run.final}
          complete={logsComplete}
        />
        <RunBackground run={run} styles={styles} />
        <section>
          <h2 className="mb-2">Repeat this</h2>
          <RepeatThis run={run} />
        </section>
      </div>
    </>
  );
}
