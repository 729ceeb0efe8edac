"use client";

import type { RunSpec } from "@rigmark/protocol";
import { WEEKDAYS } from "@rigmark/results/schedule";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "@/trpc/client";
import { Dialog } from "../ui/dialog";
import { ScheduleForm } from "./schedule-form";

const AT_NIGHT = 2 * 60;

interface ScheduleDialogProps {
  workspace: string;
  hostId: string;
  /** The plan; null while the dialog is closed. */
  spec: RunSpec | null;
  close: () => void;
}

/** Asks when a run is to be queued again and again, and saves that. */
export function ScheduleDialog({ spec, close, ...of }: ScheduleDialogProps) {
  return (
    <Dialog
      open={spec !== null}
      onOpenChange={(open) => !open && close()}
      title="Save as a schedule"
      description="The app queues this run automatically, each time with a new random order of trials."
    >
      {spec && <NewSchedule {...of} spec={spec} close={close} />}
    </Dialog>
  );
}

function NewSchedule({ workspace, hostId, spec, close }: ScheduleDialogProps & { spec: RunSpec }) {
  const trpc = useTRPC();
  const router = useRouter();
  const create = useMutation(
    trpc.schedule.create.mutationOptions({ onSuccess: () => router.push(`/w/${workspace}/schedules`) }),
  );
  return (
    <ScheduleForm
      initial={{
        name: spec.title || spec.entries.map((entry) => entry.label).join(", "),
        ...{ minute: AT_NIGHT, days: WEEKDAYS, wait_h: 12 },
      }}
      save={(times) => create.mutate({ workspace, hostId, spec, ...times })}
      busy={create.isPending || create.isSuccess}
      error={create.error?.message}
      close={close}
    />
  );
}
