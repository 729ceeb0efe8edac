"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/trpc/client";
import { ReportLinks } from "../report/report-links";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/problem";

/** Freezes the runs, beside each other, into one report. */
export function ShareComparison({ workspace, runIds }: { workspace: string; runIds: readonly string[] }) {
  const trpc = useTRPC();
  const [open, setOpen] = useState(false);
  const create = useMutation(trpc.report.create.mutationOptions());
  const change = (next: boolean) => {
    setOpen(next);
    if (!next) create.reset();
  };
  return (
    <>
      <button type="button" className="btn" data-kind="primary" onClick={() => setOpen(true)}>
        Share
      </button>
      <Dialog
        open={open}
        onOpenChange={change}
        title={create.data ? "Report created" : "Share these runs"}
        description={
          create.data
            ? "Whoever has this link can read the report. Revoke it on the reports page."
            : "A report is a frozen copy of these runs that anyone with its link can read, without an account. It names the hosts by their hardware."
        }
      >
        <div className="mt-4 space-y-4">
          {create.error && <Problem message={create.error.message} />}
          {create.data ? (
            <ReportLinks url={create.data.url} isPrivate={create.data.public_url_is_private} />
          ) : null}
          <div className="flex justify-end gap-2">
            <button type="button" className="btn" onClick={() => change(false)}>
              {create.data ? "Done" : "Cancel"}
            </button>
            {!create.data && (
              <button
                type="button"
                className="btn"
                data-kind="primary"
                disabled={create.isPending}
                onClick={() => create.mutate({ workspace, runIds: [...runIds], showHostName: false })}
              >
                {create.isPending ? "Creating…" : "Create report"}
              </button>
            )}
          </div>
        </div>
      </Dialog>
    </>
  );
}
