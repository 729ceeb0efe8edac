"use client";

import type { ScheduleList as Schedules, ScheduleView } from "@rigmark/results";
import { timesInWords } from "@rigmark/results/schedule";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { plainLine, plainText } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { useTRPC } from "@/trpc/client";
import { StateBadge } from "../run/state-badge";
import { useMay } from "../shell/may";
import { Confirm } from "../ui/confirm";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";
import { ChangeSchedule } from "./change-schedule";

interface ScheduleListProps {
  workspace: string;
  initial: Schedules;
}

/** What is due next first. */
export function ScheduleList({ workspace, initial }: ScheduleListProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const queries = useQueryClient();
  const query = trpc.schedule.list.queryOptions(
    { workspace },
    { initialData: initial, refetchInterval: 30_000 },
  );
  const { data, error: unread, refetch } = useQuery(query);
  const mayQueue = useMay("queue");
  const onSuccess = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const pause = useMutation(trpc.schedule.pause.mutationOptions({ onSuccess }));
  const resume = useMutation(trpc.schedule.resume.mutationOptions({ onSuccess }));
  const remove = useMutation(trpc.schedule.delete.mutationOptions({ onSuccess }));
  const queue = useMutation(
    trpc.schedule.queue.mutationOptions({
      onSuccess: ({ run_id }) => {
        router.push(`/w/${workspace}/runs/${run_id}`);
        return onSuccess();
      },
    }),
  );
  // Of what was tried last.
  const error = [queue, pause, resume].sort((a, b) => b.submittedAt - a.submittedAt)[0]?.error;
  if (data.schedules.length === 0)
    return (
      <Empty
        title="No schedules yet"
        action={
          mayQueue && (
            <Link className="btn" data-kind="primary" href={`/w/${workspace}/runs/new`}>
              New run
            </Link>
          )
        }
      >
        A schedule queues the same run regularly, such as every night, so that the history shows when
        something became slower. Set up a new run and choose <em>Save as a schedule</em>, or open a run and
        choose <em>Repeat every night</em>.
      </Empty>
    );
  return (
    <>
      {unread && <Problem message={unread.message} retry={() => refetch()} className="mb-4" />}
      {error && <Problem message={error.message} className="mb-4" />}
      <ul className="panel divide-y divide-line" aria-label="Schedules">
        {data.schedules.map((schedule) => {
          const of = { workspace, scheduleId: schedule.schedule_id };
          const change = schedule.next_due_at === null ? resume : pause;
          return (
            <ScheduleRow
              key={schedule.schedule_id}
              workspace={workspace}
              schedule={schedule}
              busy={pause.isPending || resume.isPending}
              // The run's page takes a moment to come.
              queueing={queue.isPending || queue.isSuccess}
              queue={() => queue.mutate(of)}
              change={() => change.mutate(of)}
              remove={() => remove.mutateAsync(of)}
              onChanged={onSuccess}
            />
          );
        })}
      </ul>
    </>
  );
}

interface ScheduleRowProps {
  workspace: string;
  schedule: ScheduleView;
  busy: boolean;
  queueing: boolean;
  queue: () => void;
  /** Pauses it, or resumes it. */
  change: () => void;
  remove: () => Promise<unknown>;
  onChanged: () => Promise<unknown>;
}

function ScheduleRow(props: ScheduleRowProps) {
  const { workspace, schedule, busy, queueing, queue, change, remove, onChanged } = props;
  const { name, host, entries, scenarios, created_by, next_due_at } = schedule;
  const paused = next_due_at === null;
  const mayChange = useMay("queue");
  return (
    <li className="grid items-start gap-x-6 gap-y-2 px-4 py-3 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <h2 className="text-base">
          <bdi>{plainLine(name)}</bdi>
        </h2>
        <p>
          {timesInWords(schedule)} on{" "}
          <Link prefetch={false} className="link" href={`/w/${workspace}/hosts/${host.host_id}`}>
            <bdi>{plainLine(host.name)}</bdi>
          </Link>
        </p>
        <p className="text-[0.929rem] text-ink-2">
          {entries.map(plainLine).join(", ")} · {scenarios.join(", ")}
          {created_by && (
            <>
              {" · "}by <bdi>{plainLine(created_by)}</bdi>
            </>
          )}
        </p>
        <p className="text-[0.929rem]">
          {paused ? <span className="text-warn">Paused</span> : <>Next: {formatMoment(next_due_at)}</>}
        </p>
        <LastTime workspace={workspace} schedule={schedule} />
      </div>
      {mayChange && (
        <div className="flex flex-wrap gap-2">
          <button type="button" className="btn" data-size="small" disabled={queueing} onClick={queue}>
            Run now<span className="sr-only"> {plainLine(name)}</span>
          </button>
          <ChangeSchedule {...{ workspace, schedule, onChanged }} />
          <button type="button" className="btn" data-size="small" disabled={busy} onClick={change}>
            {paused ? "Resume" : "Pause"}
            <span className="sr-only"> {plainLine(name)}</span>
          </button>
          <Confirm
            trigger="Delete"
            of={plainLine(name)}
            size="small"
            title="Delete this schedule?"
            action="Delete"
            run={remove}
          >
            It will queue no more runs. The runs that it already queued are kept.
          </Confirm>
        </div>
      )}
    </li>
  );
}

/** What came of it when it was due last. */
function LastTime({ workspace, schedule }: Pick<ScheduleRowProps, "workspace" | "schedule">) {
  const { last_due_at, last_run, last_skip } = schedule;
  if (last_due_at === null) return <p className="text-[0.929rem] text-ink-2">Last: none yet</p>;
  return (
    <p className="text-[0.929rem] text-ink-2">
      Last: <TimeAgo at={last_due_at} />
      {last_run ? (
        <>
          {", "}
          <Link prefetch={false} className="link" href={`/w/${workspace}/runs/${last_run.run_id}`}>
            run
          </Link>{" "}
          <StateBadge state={last_run.state} />
        </>
      ) : last_skip ? (
        <span className="text-warn">, skipped. {plainText(last_skip)}</span>
      ) : (
        ", the run was deleted"
      )}
    </p>
  );
}
