"use client";

import type { DeletedWorkspaces as Deleted } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { plainLine } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { useTRPC } from "@/trpc/client";
import { Problem } from "../ui/problem";

/** Those that the person can still restore. */
export function DeletedWorkspaces({ list }: { list: Deleted }) {
  const trpc = useTRPC();
  const restore = useMutation(
    trpc.workspace.restore.mutationOptions({
      onSuccess: ({ slug }) => window.location.assign(`/w/${slug}`),
    }),
  );
  return (
    <div className="space-y-3">
      {restore.error && <Problem message={restore.error.message} />}
      <ul className="panel divide-y divide-line">
        {list.workspaces.map((workspace) => (
          <li
            key={workspace.workspace_id}
            className="grid items-center gap-x-6 gap-y-2 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto]"
          >
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p>
                <bdi>{plainLine(workspace.name)}</bdi>
              </p>
              <p className="text-[0.929rem] text-ink-2">
                can be restored until {formatMoment(workspace.kept_until)}
              </p>
            </div>
            <button
              type="button"
              className="btn"
              data-size="small"
              disabled={restore.isPending || restore.isSuccess}
              aria-label={`Restore ${plainLine(workspace.name)}`}
              onClick={() => restore.mutate({ workspaceId: workspace.workspace_id })}
            >
              Restore
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
