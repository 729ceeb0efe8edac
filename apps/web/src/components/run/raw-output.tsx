"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { plainText } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { Dialog } from "../ui/dialog";
import { Problem } from "../ui/problem";

/** What the tool printed for a trial, to read or to save. */
export function RawOutput({
  workspace,
  runId,
  trialId,
  name,
}: {
  workspace: string;
  runId: string;
  trialId: string;
  name: string;
}) {
  const trpc = useTRPC();
  const [open, setOpen] = useState(false);
  const raw = useQuery(trpc.run.raw.queryOptions({ workspace, runId, trialId }, { enabled: open }));
  const save = (file: { name: string; text: string }) => {
    const url = URL.createObjectURL(new Blob([file.text], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  return (
    <>
      <button
        type="button"
        className="link"
        onClick={() => setOpen(true)}
        aria-label={`raw output of ${name}`}
      >
        raw
      </button>
      <Dialog open={open} onOpenChange={setOpen} title={`Raw output of ${name}`}>
        {raw.error && <Problem message={raw.error.message} className="mt-3" retry={() => raw.refetch()} />}
        {raw.isPending && <p className="mt-3 text-ink-2">Fetching…</p>}
        {raw.data?.files.length === 0 && (
          <p className="mt-3 text-ink-2">No raw output was kept for this trial.</p>
        )}
        {raw.data?.files.map((file) => (
          <section key={file.name} className="mt-4">
            <div className="mb-1 flex items-center gap-3">
              <h3 className="mr-auto font-mono text-[0.929rem]">{file.name}</h3>
              <button type="button" className="btn" data-size="small" onClick={() => save(file)}>
                Save
              </button>
            </div>
            <pre className="mono-block max-h-72 overflow-auto">{plainText(file.text)}</pre>
            {file.truncated && (
              <p className="mt-1 text-[0.929rem] text-ink-2">
                The limit on raw output was reached; the rest was not kept.
              </p>
            )}
          </section>
        ))}
        <div className="mt-5 text-right">
          <button type="button" className="btn" onClick={() => setOpen(false)}>
            Close
          </button>
        </div>
      </Dialog>
    </>
  );
}
