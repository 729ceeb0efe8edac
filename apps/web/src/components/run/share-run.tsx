"use client";

import type { RunListItem, RunView } from "@rigmark/results";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { plainLine, plural } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { ReportLinks } from "../report/report-links";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";
import { ShareBeside } from "./share-beside";

const MOST_TITLE = 120;

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
  const [written, setTitle] = useState<string | null>(null);
  const [showHostName, setShowHostName] = useState(false);
  const [choosing, setChoosing] = useState(false);
  const [beside, setBeside] = useState<RunListItem[]>([]);
  const title = written ?? titleOf(run, beside.length);
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
      runIds: [run.run_id, ...beside.map((other) => other.run_id)],
      showHostName,
      // What was only proposed is left to the report: it hides the name of the host in it, too.
      ...(written?.trim() ? { title: written.trim() } : {}),
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
            : "A report is a frozen copy that anyone with its link can read, without an account. Later changes to the run do not change it."
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
              maxLength={MOST_TITLE}
            />
            <label className="flex cursor-pointer gap-3">
              <input
                type="checkbox"
                className="mt-0.5"
                checked={showHostName}
                onChange={(event) => setShowHostName(event.target.checked)}
              />
              <span>
                {beside.length > 0 ? "Show the hosts' names" : "Show the host's name"}
                <span className="block text-[0.929rem] text-ink-2">
                  {beside.length > 0
                    ? "Otherwise readers see their boards or CPUs."
                    : `Otherwise readers see its board or CPU: ${plainLine(run.host.board ?? run.host.cpu_model ?? "unknown")}.`}
                </span>
              </span>
            </label>
            <details open={choosing} onToggle={(event) => setChoosing(event.currentTarget.open)}>
              <summary className="font-medium">
                Put other runs beside it{beside.length > 0 && ` (${beside.length} chosen)`}
              </summary>
              {choosing && (
                <div className="mt-3">
                  <ShareBeside workspace={workspace} run={run} chosen={beside} onChange={setBeside} />
                </div>
              )}
            </details>
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

/** As the report is called unless somebody writes a title. */
const titleOf = (run: RunView, others: number): string => {
  const more = others === 0 ? "" : `, and ${plural(others, "other run")}`;
  return `${plainLine(run.title).slice(0, MOST_TITLE - more.length)}${more}`;
};
