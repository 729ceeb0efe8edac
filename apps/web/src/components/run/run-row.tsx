import type { RunListItem } from "@rigmark/results";
import Link from "next/link";
import { nameOf } from "@/lib/run-name";
import { plainLine, plural } from "@/lib/text";
import { TimeAgo } from "../ui/time-ago";
import { RunPicture } from "./run-picture";
import { SourceLine } from "./source-line";
import { StateBadge } from "./state-badge";
import { TagList } from "./tag-list";

interface RunRowProps {
  workspace: string;
  run: RunListItem;
  ticked: boolean;
  /** It can be ticked. */
  canTick: boolean;
  onTick: () => void;
}

export function RunRow({ workspace, run, ticked, canTick, onTick }: RunRowProps) {
  const name = nameOf(run);
  const { total, done, invalid } = run.trials;
  return (
    <li
      className="relative grid gap-x-6 gap-y-1 px-4 py-3 hover:bg-sunk focus-within:bg-sunk md:grid-cols-[minmax(0,1fr)_9rem_9rem_10rem_7rem]"
      data-row
    >
      <div className="flex min-w-0 gap-3">
        {/* Above the link that covers the row, and as large as a finger needs it. */}
        <label className="relative z-10 -m-2 flex self-start p-2 has-disabled:invisible">
          <input
            type="checkbox"
            className="mt-1"
            aria-label={`Select ${name}`}
            checked={ticked}
            disabled={!ticked && !canTick}
            onChange={onTick}
          />
        </label>
        <div className="min-w-0">
          <Link
            prefetch={false}
            href={`/w/${workspace}/runs/${run.run_id}`}
            className="block font-medium after:absolute after:inset-0 [overflow-wrap:anywhere]"
            data-run={run.run_id}
          >
            <bdi>{name}</bdi>
          </Link>
          <TagList workspace={workspace} tags={run.tags} />
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
        {run.requested_by && !run.published_by && (
          <p className="truncate">
            by <bdi>{plainLine(run.requested_by)}</bdi>
          </p>
        )}
      </div>
    </li>
  );
}
