"use client";

import { FINAL_STATES } from "@rigmark/protocol";
import type { RunListItem, RunPage } from "@rigmark/results";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { runsPath, type SourceFilter } from "@/lib/source-filter";
import { plainLine, plural } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";
import { SourceLine } from "./source-line";
import { StateBadge } from "./state-badge";

interface RunListProps {
  workspace: string;
  cursor: string | null;
  /** Only runs of this commit, branch or pull request. */
  of: SourceFilter;
  initial: RunPage;
}

/** Newest first; while one of them lives the list asks again by itself. */
export function RunList({ workspace, cursor, of, initial }: RunListProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.run.list.queryOptions(
      { workspace, cursor, limit: 30, of },
      {
        initialData: initial,
        refetchInterval: (query) =>
          query.state.data?.runs.some((run) => !FINAL_STATES.includes(run.state)) ? 3000 : 30_000,
      },
    ),
  );
  return (
    <>
      {error && <Problem message={error.message} retry={() => refetch()} className="mb-4" />}
      <ul className="panel divide-y divide-line">
        {data.runs.map((run) => (
          <RunRow key={run.run_id} workspace={workspace} run={run} />
        ))}
      </ul>
      {(cursor || data.next_cursor) && (
        <nav aria-label="Pages of runs" className="mt-4 flex gap-2">
          {cursor && (
            <Link className="btn" href={runsPath(workspace, of)}>
              Newest runs
            </Link>
          )}
          {data.next_cursor && (
            <Link className="btn" href={runsPath(workspace, of, data.next_cursor)}>
              Older runs
            </Link>
          )}
        </nav>
      )}
    </>
  );
}

function RunRow({ workspace, run }: { workspace: string; run: RunListItem }) {
  const title = plainLine(run.title) || run.entries.map((e) => plainLine(e.label)).join(", ");
  const { total, done, invalid } = run.trials;
  return (
    <li className="relative grid gap-x-6 gap-y-1 px-4 py-3 hover:bg-sunk md:grid-cols-[minmax(0,1fr)_9rem_11rem_7rem]">
      <div className="min-w-0">
        <Link
          href={`/w/${workspace}/runs/${run.run_id}`}
          className="block font-medium after:absolute after:inset-0 [overflow-wrap:anywhere]"
        >
          <bdi>{title}</bdi>
        </Link>
        <p className="text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">
          {run.headline ? plainLine(run.headline) : run.scenarios.join(", ")}
        </p>
        {run.source && (
          <p className="text-ink-2">
            <SourceLine source={run.source} linked={false} />
          </p>
        )}
        {run.published_by && (
          <p className="text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">
            published by <bdi>{plainLine(run.published_by)}</bdi>, not queued here
          </p>
        )}
      </div>
      <div className="text-[0.929rem]">
        <StateBadge state={run.state} unreachable={run.unreachable} />
      </div>
      <div className="text-[0.929rem] text-ink-2">
        {total === null ? plural(run.repeats, "block") : `${done} of ${plural(total, "trial")}`}
        {invalid > 0 && <span className="text-warn">, {invalid} invalid</span>}
      </div>
      <div className="flex gap-x-4 text-[0.929rem] text-ink-2 md:block">
        <p className="truncate">
          <bdi>{plainLine(run.host.name)}</bdi>
        </p>
        <p>
          <TimeAgo at={run.created_at} />
        </p>
      </div>
    </li>
  );
}
