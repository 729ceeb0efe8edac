"use client";

import type { RunView } from "@rigmark/results";
import { useState } from "react";
import { ScheduleDialog } from "./schedule-dialog";

interface RepeatRunProps {
  workspace: string;
  run: Pick<RunView, "spec" | "host" | "title">;
}

/** From a run to a schedule of the same plan. Nothing can be queued on a host without an agent. */
export function RepeatRun({ workspace, run }: RepeatRunProps) {
  const [open, setOpen] = useState(false);
  const { spec, host, title } = run;
  if (host.status === "revoked" || host.status === "published") return null;
  return (
    <>
      <button type="button" className="btn" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Repeat every night
      </button>
      <ScheduleDialog
        workspace={workspace}
        hostId={host.host_id}
        spec={open ? { ...spec, title } : null}
        close={() => setOpen(false)}
      />
    </>
  );
}
