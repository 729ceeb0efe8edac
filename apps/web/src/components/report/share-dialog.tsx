"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTRPC } from "@/trpc/client";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/problem";
import { AccessFields, type ReportAccess } from "./access-fields";
import { ReportLinks } from "./report-links";

interface ShareDialogProps {
  workspace: string;
  /** In their order in the report. */
  runIds: readonly string[];
  /** Of the report; without it the report names itself. */
  reportTitle?: string | undefined;
  /** What the others of each run are compared with; without it each run's own baseline. */
  baseline?: string | undefined;
  showHostName: boolean;
  /** Such as "Share this run". */
  title: string;
  description: string;
  /** What is chosen before the report is made. */
  children?: ReactNode;
  onShared?: () => void;
}

const USUAL: ReportAccess = { visibility: "link", days: null };

const MADE = {
  link: "Whoever has this link can read the report.",
  public: "Everyone can read the report, and find it in Explore.",
  private: "Members of this workspace who are signed in can read the report.",
} as const;

/** The button Share: freezes runs into a report and hands out its link. */
export function ShareDialog({
  workspace,
  runIds,
  reportTitle,
  baseline,
  showHostName,
  title,
  description,
  children,
  onShared,
}: ShareDialogProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [access, setAccess] = useState(USUAL);
  const create = useMutation(
    trpc.report.create.mutationOptions({
      onSuccess: () => {
        queries.invalidateQueries({ queryKey: trpc.report.pathKey() });
        onShared?.();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({
      workspace,
      runIds: [...runIds],
      showHostName,
      visibility: access.visibility,
      expiresInDays: access.days ?? null,
      ...(reportTitle !== undefined && { title: reportTitle }),
      ...(baseline !== undefined && { baseline }),
    });
  };
  const change = (next: boolean) => {
    setOpen(next);
    if (next) return;
    create.reset();
    setAccess(USUAL);
  };
  return (
    <>
      <button type="button" className="btn" data-kind="primary" onClick={() => setOpen(true)}>
        Share
      </button>
      <Dialog
        open={open}
        onOpenChange={change}
        title={create.data ? "Report created" : title}
        description={
          create.data
            ? `${MADE[access.visibility]} Change that, or revoke it, on the reports page.`
            : description
        }
      >
        {create.data ? (
          <div className="mt-4 space-y-4">
            <ReportLinks url={create.data.url} isPrivate={create.data.public_url_is_private} />
            <div className="text-right">
              <button type="button" className="btn" onClick={() => change(false)}>
                Done
              </button>
            </div>
          </div>
        ) : (
          <form onSubmit={submit} className="mt-4 space-y-4">
            {children}
            <AccessFields value={access} onChange={setAccess} />
            <p className="text-[0.929rem] text-ink-2">
              Readers also see: entries, the whole load with its headers and bodies, all trials, verification,
              repository, commit, branch and pull request, the environment (CPU, kernel, governor, versions),
              and the command that repeats it. They do not see: the log, raw output, the workspace, or who ran
              it. Of a run published from a file they see who published it.
            </p>
            {create.error && <Problem message={create.error.message} />}
            <div className="flex flex-wrap justify-end gap-2">
              <button type="button" className="btn" onClick={() => change(false)}>
                Not now
              </button>
              <button type="submit" className="btn" data-kind="primary" disabled={create.isPending}>
                Create report
              </button>
            </div>
          </form>
        )}
      </Dialog>
    </>
  );
}
