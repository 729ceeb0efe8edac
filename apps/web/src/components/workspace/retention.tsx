"use client";

import { formatQuantity } from "@rigmark/metrics";
import type { RetentionView } from "@rigmark/results";
import { KEEP_TAG, LEAST_RETENTION_DAYS, MOST_RETENTION_DAYS } from "@rigmark/results/retention";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { plural } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";

const FIRST_DAYS = 180;

interface RetentionProps {
  workspace: string;
  retention: RetentionView;
}

/** What is stored, and after how many days runs are deleted by themselves. What a rule would delete is shown before it holds. */
export function Retention({ workspace, retention }: RetentionProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const [text, setText] = useState(String(retention.days ?? FIRST_DAYS));
  const [asked, setAsked] = useState<number | null>(null);
  const preview = useQuery(
    trpc.workspace.retention.queryOptions({ workspace, days: asked }, { enabled: asked !== null }),
  );
  const change = useMutation(
    trpc.workspace.setRetention.mutationOptions({
      onSuccess: () => {
        setAsked(null);
        router.refresh();
      },
    }),
  );
  const show = (event: FormEvent) => {
    event.preventDefault();
    setAsked(Number(text));
  };
  const { days, stored_bytes, stored_bytes_most } = retention;
  const found = preview.data?.would_delete;
  const most = stored_bytes_most === null ? "" : ` of ${formatQuantity(stored_bytes_most, "bytes")}`;
  return (
    <div className="space-y-3">
      <p className="text-ink-2">
        The measurements and reports of this workspace take {formatQuantity(stored_bytes, "bytes")}
        {most}, counted before compression.{" "}
        {days === null
          ? "Runs are not deleted automatically."
          : `Runs that ended more than ${plural(days, "day")} ago are deleted automatically.`}{" "}
        Runs with the tag <code>{KEEP_TAG}</code> are never deleted automatically. Runs in a report stay until
        the report expires or is revoked.
      </p>
      <form onSubmit={show} className="flex flex-wrap items-end gap-2">
        <Field
          label="Delete runs after this many days"
          className="w-64"
          type="number"
          min={LEAST_RETENTION_DAYS}
          max={MOST_RETENTION_DAYS}
          step={1}
          required
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" className="btn" disabled={preview.isFetching}>
          Show what would be deleted
        </button>
        {days !== null && (
          <button
            type="button"
            className="btn"
            disabled={change.isPending}
            onClick={() => change.mutate({ workspace, days: null })}
          >
            Keep all runs
          </button>
        )}
      </form>
      <div role="status" className="space-y-3">
        {asked !== null && found && (
          <>
            <p>{inWords(asked, found)} From then on, runs are deleted when they reach this age.</p>
            <button
              type="button"
              className="btn"
              data-kind="danger"
              disabled={change.isPending}
              onClick={() => change.mutate({ workspace, days: asked })}
            >
              Always delete runs older than {plural(asked, "day")}
            </button>
          </>
        )}
      </div>
      {(preview.error ?? change.error) && (
        <Problem message={(preview.error ?? change.error)?.message ?? ""} />
      )}
    </div>
  );
}

function inWords(
  days: number,
  { runs, bytes, oldest_at, newest_at }: NonNullable<RetentionView["would_delete"]>,
) {
  if (runs === 0 || oldest_at === null || newest_at === null)
    return `No run ended more than ${plural(days, "day")} ago, so nothing would be deleted now.`;
  const [from, to] = [oldest_at.slice(0, 10), newest_at.slice(0, 10)];
  const when = from === to ? `on ${from} UTC` : `between ${from} and ${to} UTC`;
  return `${plural(runs, "run")} (${formatQuantity(bytes, "bytes")}) that ended ${when} would be deleted, beginning within a minute. Deleted runs can be restored for seven days; their storage is freed after that.`;
}
