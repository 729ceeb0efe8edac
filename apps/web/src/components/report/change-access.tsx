"use client";

import type { ReportListItem } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { formatMoment } from "@/lib/time";
import { useTRPC } from "@/trpc/client";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/problem";
import { AccessFields, type ReportAccess } from "./access-fields";

interface ChangeAccessProps {
  workspace: string;
  report: ReportListItem;
  onChanged: () => void;
}

/** The button Readers: who can read a report from now on, and until when. */
export function ChangeAccess({ workspace, report, onChanged }: ChangeAccessProps) {
  const trpc = useTRPC();
  const [access, setAccess] = useState<ReportAccess | null>(null);
  const close = () => setAccess(null);
  const change = useMutation(
    trpc.report.changeAccess.mutationOptions({
      onSuccess: () => {
        close();
        onChanged();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!access) return;
    const { visibility, days } = access;
    change.mutate({
      ...{ workspace, reportId: report.report_id, visibility },
      ...(days !== undefined && { expiresInDays: days }),
    });
  };
  return (
    <>
      <button
        type="button"
        className="btn"
        data-size="small"
        onClick={() => {
          change.reset();
          setAccess({ visibility: report.visibility, days: report.expires_at ? undefined : null });
        }}
      >
        Readers
      </button>
      <Dialog
        open={access !== null}
        onOpenChange={(open) => !open && close()}
        title="Readers of this report"
        description="A change works within a second, for the page and for its other forms."
      >
        {access && (
          <form onSubmit={submit} className="mt-4 space-y-4">
            <AccessFields
              value={access}
              onChange={setAccess}
              {...(report.expires_at && { stays: expiryOf(report) })}
            />
            {change.error && <Problem message={change.error.message} />}
            <div className="flex flex-wrap justify-end gap-2">
              <button type="button" className="btn" onClick={close}>
                Not now
              </button>
              <button type="submit" className="btn" data-kind="primary" disabled={change.isPending}>
                Save
              </button>
            </div>
          </form>
        )}
      </Dialog>
    </>
  );
}

const expiryOf = ({ expires_at, expired }: ReportListItem): string =>
  expired ? "as it is: expired" : `as it is: ${expires_at ? formatMoment(expires_at) : "never"}`;
