"use client";

import type { DeletedRuns as Deleted } from "@rigmark/results";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { plainLine } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { useTRPC } from "@/trpc/client";
import { Problem } from "../ui/problem";
import { TimeAgo } from "../ui/time-ago";

interface DeletedRunsProps {
  workspace: string;
  initial: Deleted;
  mayRestore: boolean;
}

/** Runs that were deleted and can still be restored. */
export function DeletedRuns({ workspace, initial, mayRestore }: DeletedRunsProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data } = useQuery(trpc.run.deleted.queryOptions({ workspace }, { initialData: initial }));
  const restore = useMutation(
    trpc.run.restore.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.run.pathKey() }),
    }),
  );
  if (data.runs.length === 0) return null;
  return (
    <details className="no-print mt-6">
      <summary className="text-ink-2">Deleted runs ({data.runs.length})</summary>
      {restore.error && <Problem message={restore.error.message} className="mt-2" />}
      {!mayRestore && (
        <p className="mt-2 text-ink-2">An admin or an owner of the workspace can restore them.</p>
      )}
      <ul className="panel mt-2 divide-y divide-line">
        {data.runs.map((run) => (
          <li key={run.run_id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
            <div className="mr-auto min-w-0 [overflow-wrap:anywhere]">
              <bdi>{plainLine(run.title)}</bdi>
              <p className="text-[0.929rem] text-ink-2">
                deleted <TimeAgo at={run.deleted_at} />, can be restored until {formatMoment(run.kept_until)}
              </p>
            </div>
            {mayRestore && (
              <button
                type="button"
                className="btn"
                data-size="small"
                aria-label={`Restore ${plainLine(run.title)}`}
                disabled={restore.isPending}
                onClick={() => restore.mutate({ workspace, runIds: [run.run_id] })}
              >
                Restore
              </button>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
