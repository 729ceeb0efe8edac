"use client";

import { FINAL_STATES } from "@rigmark/protocol";
import type { RunListItem, RunPage } from "@rigmark/results";
import { MOST_COMPARED } from "@rigmark/results/comparable";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { comparePath } from "@/lib/compare-path";
import { runsPath, type SourceFilter } from "@/lib/source-filter";
import { plainLine, plural } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";
import { RunPicture } from "./run-picture";
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
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const toggle = (runId: string) =>
    setTicked((now) => (now.includes(runId) ? now.filter((id) => id !== runId) : [...now, runId]));
  return (
    <>
      {error && <Problem message={error.message} retry={() => refetch()} className="mb-4" />}
      <ul className="panel divide-y divide-line">
        {data.runs.map((run) => (
          <RunRow
            key={run.run_id}
            workspace={workspace}
            run={run}
            ticked={ticked.includes(run.run_id)}
            full={ticked.length >= MOST_COMPARED}
            onTick={() => toggle(run.run_id)}
          />
        ))}
      </ul>
      {ticked.length > 0 && (
        <section
          aria-label="Ticked runs"
          className="panel sticky bottom-3 z-10 mt-3 flex flex-wrap items-center gap-3 px-4 py-2 shadow-md"
        >
          <span className="mr-auto" aria-live="polite">
            {plural(ticked.length, "run")} ticked
            {ticked.length >= MOST_COMPARED && ", which is the most that one page compares"}
          </span>
          <button type="button" className="btn" data-kind="quiet" onClick={() => setTicked([])}>
            Clear
          </button>
          <Link className="btn" data-kind="primary" href={comparePath(workspace, { runIds: [...ticked] })}>
            Compare
          </Link>
        </section>
      )}
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

interface RunRowProps {
  workspace: string;
  run: RunListItem;
  ticked: boolean;
  /** No more can be ticked. */
  full: boolean;
  onTick: () => void;
}

function RunRow({ workspace, run, ticked, full, onTick }: RunRowProps) {
  const title = plainLine(run.title) || run.entries.map((e) => plainLine(e.label)).join(", ");
  const { total, done, invalid } = run.trials;
  return (
    <li className="relative grid gap-x-6 gap-y-1 px-4 py-3 hover:bg-sunk md:grid-cols-[minmax(0,1fr)_9rem_9rem_10rem_7rem]">
      <div className="flex min-w-0 gap-3">
        {/* Above the link that covers the row. */}
        <input
          type="checkbox"
          className="relative z-10 mt-1 self-start disabled:invisible"
          aria-label={`Tick ${title} to compare it`}
          checked={ticked}
          disabled={!ticked && (full || done === 0)}
          onChange={onTick}
        />
        <div className="min-w-0">
          <Link
            href={`/w/${workspace}/runs/${run.run_id}`}
            className="block font-medium after:absolute after:inset-0 [overflow-wrap:anywhere]"
          >
            <bdi>{title}</bdi>
          </Link>
          <p className="line-clamp-3 text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">
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
      </div>
      <RunPicture sketch={run.sketch} />
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
