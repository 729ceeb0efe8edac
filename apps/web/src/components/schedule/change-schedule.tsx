"use client";

import type { ScheduleView } from "@rigmark/results";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { plainLine } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { Dialog } from "../ui/dialog";
import { ScheduleForm } from "./schedule-form";

interface ChangeScheduleProps {
  workspace: string;
  schedule: ScheduleView;
  onChanged: () => Promise<unknown>;
}

/** Other times, or another name, for the same plan on the same host. */
export function ChangeSchedule({ workspace, schedule, onChanged }: ChangeScheduleProps) {
  const trpc = useTRPC();
  const [open, setOpen] = useState(false);
  const change = useMutation(
    trpc.schedule.change.mutationOptions({
      onSuccess: async () => {
        await onChanged();
        setOpen(false);
      },
    }),
  );
  return (
    <>
      <button
        type="button"
        className="btn"
        data-size="small"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Change<span className="sr-only"> {plainLine(schedule.name)}</span>
      </button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Change the schedule"
        description="The servers, scenarios and host stay the same. To use different ones, create a new schedule."
      >
        {open && (
          <ScheduleForm
            initial={schedule}
            save={(times) => change.mutate({ workspace, scheduleId: schedule.schedule_id, ...times })}
            paused={schedule.next_due_at === null}
            busy={change.isPending}
            error={change.error?.message}
            close={() => setOpen(false)}
          />
        )}
      </Dialog>
    </>
  );
}
