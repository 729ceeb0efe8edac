"use client";

import type { HistoryView } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { plainLine } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { useMay } from "../shell/may";
import { Command } from "../ui/command";
import { Confirm } from "../ui/confirm";
import { Problem } from "../ui/problem";

interface HistoryBadgeProps {
  workspace: string;
  view: Pick<HistoryView, "series" | "relative_to" | "badge">;
}

/** The newest value as a picture for a README. */
export function HistoryBadge({ workspace, view: { series, relative_to, badge } }: HistoryBadgeProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const reread = { onSuccess: () => router.refresh() };
  const create = useMutation(trpc.history.createBadge.mutationOptions(reread));
  const remove = useMutation(trpc.history.deleteBadge.mutationOptions(reread));
  const mayChange = useMay("queue");
  if (!badge && !mayChange) return null;
  const { host, scenario, label } = series;
  const alt = plainLine(label).replace(/[[\]\\]/g, "");
  return (
    <section className="space-y-3">
      <h2>Badge</h2>
      <p className="text-ink-2">
        A small image of the newest value, for a README. It updates after each run. Anyone with its address
        can see it without an account, but nothing else in this workspace.
      </p>
      {badge ? (
        <>
          <img src={new URL(badge.url).pathname} alt={`Badge of ${alt}`} height={20} className="h-5" />
          <Command label="Markdown for the badge" text={`![${alt}](${badge.url})`} />
          {mayChange && (
            <Confirm
              trigger="Delete the badge"
              title="Delete this badge?"
              action="Delete the badge"
              size="small"
              run={() => remove.mutateAsync({ workspace, badgeId: badge.badge_id })}
            >
              Pages that use it will show a broken image. A new badge gets a different address.
            </Confirm>
          )}
        </>
      ) : (
        <button
          type="button"
          className="btn"
          disabled={create.isPending}
          onClick={() =>
            create.mutate({ workspace, hostId: host.host_id, scenario, label, relativeTo: relative_to })
          }
        >
          Make a badge
        </button>
      )}
      {create.error && <Problem message={create.error.message} />}
    </section>
  );
}
