"use client";

import { FINAL_STATES, LIVE_STATES } from "@rigmark/protocol/run-states";
import type { AlertList, HostSummary, RunListItem, RunPage } from "@rigmark/results";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { runsPath } from "@/lib/run-filter";
import { useTRPC } from "@/trpc/client";
import { HostList } from "../host/host-list";
import { RunBrief } from "../run/run-brief";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { AlertBrief } from "./alert-brief";
import { ALERTS_SHOWN } from "./alerts-shown";

interface OverviewPageProps {
  workspace: string;
  /** Runs that are queued or run now, newest first. */
  live: RunPage;
  /** The newest that are over. */
  ended: RunPage;
  hosts: HostSummary[];
  /** What runs showed last, newest first. */
  alerts: AlertList;
  may: { queue: boolean; manageHosts: boolean };
}

const isThere = (host: HostSummary): boolean => host.status !== "revoked";

/** Three questions, each with its list; the first thing to do where there is nothing yet. */
export function OverviewPage({ workspace, live, ended, hosts, alerts, may }: OverviewPageProps) {
  const trpc = useTRPC();
  const now = useQuery(
    trpc.run.list.queryOptions(
      { workspace, limit: 10, filter: { status: [...LIVE_STATES] } },
      {
        initialData: live,
        refetchInterval: (query) => ((query.state.data?.runs.length ?? 0) > 0 ? 3000 : 15_000),
      },
    ),
  );
  const over = useQuery(
    trpc.run.list.queryOptions(
      { workspace, limit: 6, filter: { status: [...FINAL_STATES] } },
      { initialData: ended, refetchInterval: now.data.runs.length > 0 ? 10_000 : 30_000 },
    ),
  );
  // A run that has just ended may have shown a change.
  const changed = useQuery(
    trpc.alert.list.queryOptions(
      { workspace, limit: ALERTS_SHOWN },
      { initialData: alerts, refetchInterval: now.data.runs.length > 0 ? 10_000 : 30_000 },
    ),
  );
  const error = now.error ?? over.error ?? changed.error;
  const again = () => {
    now.refetch();
    over.refetch();
    changed.refetch();
  };
  const { data: known } = useQuery(
    trpc.host.list.queryOptions(
      { workspace },
      {
        initialData: hosts,
        // The list of hosts asks again by itself; without a host there is no such list.
        refetchInterval: (query) => (query.state.data?.some(isThere) ? false : 5000),
      },
    ),
  );
  const there = known.filter(isThere);
  if (there.length === 0 && over.data.runs.length === 0) return <NoHost {...{ workspace, may }} />;
  return (
    <div className="grid gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="min-w-0 space-y-8">
        {error && <Problem message={error.message} retry={again} />}
        <Part title="Runs now">
          {now.data.runs.length > 0 ? (
            <Runs name="Runs now" workspace={workspace} runs={now.data.runs} />
          ) : (
            <p className="panel px-4 py-3 text-ink-2">
              No runs are queued or running.
              {may.queue && there.length > 0 && (
                <>
                  {" "}
                  <Link className="link" href={`/w/${workspace}/runs/new`}>
                    Queue a run
                  </Link>
                </>
              )}
            </p>
          )}
        </Part>
        <Part
          title="Last results"
          more={
            over.data.next_cursor === null ? null : (
              <Link className="link" href={runsPath(workspace, {})}>
                All runs
              </Link>
            )
          }
        >
          {over.data.runs.length > 0 ? (
            <Runs name="Last results" workspace={workspace} runs={over.data.runs} />
          ) : (
            <p className="panel px-4 py-3 text-ink-2">
              No run has ended yet. When one does, it appears here with its verdict.
            </p>
          )}
        </Part>
      </div>
      <div className="min-w-0 space-y-8">
        <Part
          title="What changed"
          more={
            <Link className="link" href={`/w/${workspace}/history`}>
              History
            </Link>
          }
        >
          {changed.data.alerts.length > 0 ? (
            <ul className="panel divide-y divide-line" aria-label="What changed">
              {changed.data.alerts.map((alert) => (
                <AlertBrief key={alert.id} alert={alert} />
              ))}
            </ul>
          ) : (
            <p className="panel px-4 py-3 text-ink-2">
              No change was found in the last 90 days.{" "}
              <Link className="link" href={`/w/${workspace}/alerts`}>
                Choose who is notified
              </Link>
            </p>
          )}
        </Part>
        <Part
          title="Hosts"
          more={
            may.manageHosts ? (
              <Link className="link" href={`/w/${workspace}/hosts/new`}>
                Add a host
              </Link>
            ) : null
          }
        >
          {there.length > 0 ? (
            <HostList workspace={workspace} initial={known} brief />
          ) : (
            <p className="panel px-4 py-3 text-ink-2">All hosts were removed; add one to queue runs again.</p>
          )}
        </Part>
      </div>
    </div>
  );
}

interface RunsProps {
  name: string;
  workspace: string;
  runs: readonly RunListItem[];
}

const Runs = ({ name, workspace, runs }: RunsProps) => (
  <ul className="panel divide-y divide-line" aria-label={name}>
    {runs.map((run) => (
      <RunBrief key={run.run_id} workspace={workspace} run={run} />
    ))}
  </ul>
);

function Part({ title, more = null, children }: { title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <section className="space-y-2">
      <div className="flex h-6 items-baseline gap-4">
        <h2 className="mr-auto">{title}</h2>
        {more && <span className="text-[0.929rem]">{more}</span>}
      </div>
      {children}
    </section>
  );
}

const NoHost = ({ workspace, may }: Pick<OverviewPageProps, "workspace" | "may">) => (
  <Empty
    title="Add a host first"
    action={
      may.manageHosts && (
        <Link className="btn" data-kind="primary" href={`/w/${workspace}/hosts/new`}>
          Add a host
        </Link>
      )
    }
  >
    Servers are measured on your own machines. One command installs the agent on a machine, which appears here
    as a host within seconds. Then queue a run and share its report.
  </Empty>
);
