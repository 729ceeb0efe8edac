import { formatDuration } from "@rigmark/metrics";
import type { RunView } from "@rigmark/results";
import Link from "next/link";
import { comparePath } from "@/lib/compare-path";
import { plainLine, plural } from "@/lib/text";
import { TimeAgo } from "../ui/time-ago";
import { SourceLine } from "./source-line";
import { StateBadge } from "./state-badge";

/** State, host, size and times of a run in one line. */
export function RunLine({ workspace, run }: { workspace: string; run: RunView }) {
  const { created_at, started_at, finished_at } = run.timings;
  const took = started_at && finished_at ? (Date.parse(finished_at) - Date.parse(started_at)) / 1000 : null;
  const invalid = run.trials.filter((t) => t.state === "invalid" || t.state === "failed").length;
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1">
      <span className="text-ink">
        <StateBadge state={run.state} unreachable={run.unreachable} />
      </span>
      <Link prefetch={false} className="link" href={`/w/${workspace}/hosts/${run.host.host_id}`}>
        <bdi>{plainLine(run.host.name)}</bdi>
      </Link>
      {run.trials.length > 0 && (
        <span>
          {plural(run.trials.length, "trial")}
          {invalid > 0 && <span className="text-warn">, {invalid} not valid</span>}
        </span>
      )}
      {run.source && <SourceLine source={run.source} workspace={workspace} />}
      {run.repeats !== null && (
        <span>
          uses the plan of{" "}
          <Link className="link" href={`/r/${run.repeats.split(".")[0]}`}>
            a report
          </Link>
          {run.summary && (
            <>
              ,{" "}
              <Link
                className="link"
                href={comparePath(workspace, { runIds: [run.run_id], reports: [run.repeats] })}
              >
                compare side by side
              </Link>
            </>
          )}
        </span>
      )}
      {took !== null && <span>took {formatDuration(took)}</span>}
      {run.published_by ? (
        <span data-published>
          published <TimeAgo at={created_at} /> by <bdi>{plainLine(run.published_by)}</bdi>, not queued here
        </span>
      ) : (
        <span>
          queued <TimeAgo at={created_at} />
          {run.requested_by && (
            <>
              {" "}
              by <bdi>{plainLine(run.requested_by)}</bdi>
            </>
          )}
          {run.schedule && (
            <OfSchedule
              workspace={workspace}
              name={run.schedule.name}
              // Somebody did not wait until it was due.
              word={run.requested_by ? "from" : "by"}
            />
          )}
        </span>
      )}
    </p>
  );
}

function OfSchedule({ workspace, name, word }: { workspace: string; name: string | null; word: string }) {
  if (name === null) return <> {word} a deleted schedule</>;
  return (
    <>
      {" "}
      {word} the schedule{" "}
      <Link className="link" href={`/w/${workspace}/schedules`}>
        <bdi>{plainLine(name)}</bdi>
      </Link>
    </>
  );
}
