import type { RunListItem } from "@rigmark/results";
import Link from "next/link";
import { nameOf } from "@/lib/run-name";
import { plainLine, plural } from "@/lib/text";
import { TimeAgo } from "../ui/time-ago";
import { RunPicture } from "./run-picture";
import { StateBadge } from "./state-badge";

/** A run in two lines: what it is, how far it is or what it showed, and where. */
export function RunBrief({ workspace, run }: { workspace: string; run: RunListItem }) {
  const { total, done } = run.trials;
  const over = run.finished_at !== null;
  return (
    <li className="relative grid gap-x-6 gap-y-1 px-4 py-2.5 hover:bg-sunk focus-within:bg-sunk sm:grid-cols-[minmax(0,1fr)_9rem]">
      <div className="min-w-0">
        <Link
          prefetch={false}
          href={`/w/${workspace}/runs/${run.run_id}`}
          className="block font-medium after:absolute after:inset-0 [overflow-wrap:anywhere]"
        >
          <bdi>{nameOf(run)}</bdi>
        </Link>
        {over && run.headline && (
          <p className="line-clamp-2 text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">
            {plainLine(run.headline)}
          </p>
        )}
        <p className="flex flex-wrap gap-x-3 text-[0.929rem] text-ink-2">
          <StateBadge state={run.state} unreachable={run.unreachable} />
          <bdi className="truncate">{plainLine(run.host.name)}</bdi>
          <TimeAgo at={run.finished_at ?? run.started_at ?? run.created_at} />
        </p>
      </div>
      {over ? <RunPicture sketch={run.sketch} /> : <Progress done={done} total={total} />}
    </li>
  );
}

/** Trials that are over; the plan may not be known yet. */
function Progress({ done, total }: { done: number; total: number | null }) {
  if (total === null || total === 0) return null;
  return (
    <div className="self-center text-[0.929rem] text-ink-2">
      <progress className="block w-full" value={done} max={total} aria-label="Trials" />
      {done} of {plural(total, "trial")}
    </div>
  );
}
