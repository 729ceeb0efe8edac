"use client";

import type { RunView } from "@rigmark/domain/views";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { plainLine } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { ReportLinks } from "../report/report-links";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";

/** Freezes the run into a report and hands out its link. */
export function ShareRun({
  workspace,
  run,
  onShared,
}: {
  workspace: string;
  run: RunView;
  onShared: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [title, setTitle] = useState(plainLine(run.title));
  const [showHostName, setShowHostName] = useState(false);
  const create = useMutation(
    trpc.report.create.mutationOptions({
      onSuccess: () => {
        queries.invalidateQueries({ queryKey: trpc.report.pathKey() });
        onShared();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({
      workspace,
      runId: run.run_id,
      showHostName,
      ...(title.trim() ? { title: title.trim() } : {}),
    });
  };
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
        title={create.data ? "Report created" : "Share this run"}
        description={
          create.data
            ? "Whoever has this link can read the report. Revoke it on the reports page."
            : "A report is a frozen copy that anyone with its link can read, without an account. Later changes to the run do not reach it."
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
            <Field
              label="Title of the report"
              value={title}
              onChange={(event) => setTitle(event.target.value)}
              maxLength={120}
            />
            <label className="flex cursor-pointer gap-3">
              <input
                type="checkbox"
                className="mt-0.5"
                checked={showHostName}
                onChange={(event) => setShowHostName(event.target.checked)}
              />
              <span>
                Show the host's name
                <span className="block text-[0.929rem] text-ink-2">
                  Otherwise readers see its board or CPU:{" "}
                  {plainLine(run.host.board ?? run.host.cpu_model ?? "unknown")}.
                </span>
              </span>
            </label>
            <p className="text-[0.929rem] text-ink-2">
              Readers also see: entries and scenarios, all trials, verification, the environment (CPU, kernel,
              governor, versions), and the command that repeats it. They do not see: the log, raw output, who
              ran it, the workspace.
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
