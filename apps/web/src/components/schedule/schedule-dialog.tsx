"use client";

import type { RunSpec } from "@rigmark/protocol";
import {
  clockOf,
  MOST_SCHEDULE_NAME,
  minuteOf,
  nextDue,
  WAIT_HOURS,
  WEEKDAY_NAMES,
  WEEKDAYS,
} from "@rigmark/results/schedule";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type FormEvent, useId, useState } from "react";
import { plural } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { useTRPC } from "@/trpc/client";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";

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
      description="The app queues this run by itself. Each time the order of the trials is drawn anew."
    >
      {spec && <ScheduleForm {...of} spec={spec} close={close} />}
    </Dialog>
  );
}

const AT_NIGHT = 2 * 60;

function ScheduleForm({ workspace, hostId, spec, close }: ScheduleDialogProps & { spec: RunSpec }) {
  const trpc = useTRPC();
  const router = useRouter();
  const waiting = useId();
  const [name, setName] = useState(spec.title || spec.entries.map((entry) => entry.label).join(", "));
  const [clock, setClock] = useState(clockOf(AT_NIGHT));
  const [days, setDays] = useState<readonly number[]>(WEEKDAYS);
  const [wait, setWait] = useState<(typeof WAIT_HOURS)[number]>(12);
  const minute = minuteOf(clock);
  const first = minute === null ? null : nextDue({ minute, days }, new Date());
  const create = useMutation(
    trpc.schedule.create.mutationOptions({ onSuccess: () => router.push(`/w/${workspace}/schedules`) }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // In React's tree this form may stand inside of another one.
    event.stopPropagation();
    if (minute === null) return;
    create.mutate({ workspace, hostId, name: name.trim(), minute, days: [...days], wait_h: wait, spec });
  };
  const toggle = (day: number) =>
    setDays(days.includes(day) ? days.filter((each) => each !== day) : [...days, day]);
  return (
    <form onSubmit={submit} className="mt-4 space-y-4">
      <Field
        label="Name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        required
        maxLength={MOST_SCHEDULE_NAME}
        hint="Its runs have this name, too."
      />
      <Field
        label="Time (UTC)"
        type="time"
        value={clock}
        onChange={(event) => setClock(event.target.value)}
        required
      />
      <fieldset>
        <legend className="mb-1 font-medium">Days</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1.5">
          {WEEKDAYS.map((day) => (
            <label key={day} className="flex cursor-pointer items-center gap-1.5">
              <input type="checkbox" checked={days.includes(day)} onChange={() => toggle(day)} />
              {WEEKDAY_NAMES[day - 1]}
            </label>
          ))}
        </div>
      </fieldset>
      <div>
        <label htmlFor={waiting} className="mb-1 block font-medium">
          Wait for the host at most
        </label>
        <select
          id={waiting}
          className="input"
          value={wait}
          aria-describedby={`${waiting}-hint`}
          onChange={({ target }) =>
            setWait(WAIT_HOURS.find((hours) => String(hours) === target.value) ?? wait)
          }
        >
          {WAIT_HOURS.map((hours) => (
            <option key={hours} value={hours}>
              {plural(hours, "hour")}
            </option>
          ))}
        </select>
        <p id={`${waiting}-hint`} className="mt-1 text-[0.929rem] text-ink-2">
          A run that the host has not taken by then expires. What was missed is not queued afterward, and
          while one run waits or goes on no other one is queued.
        </p>
      </div>
      <p aria-live="polite">
        {first ? `First run: ${formatMoment(first.toISOString())}` : "Choose a time and at least one day."}
      </p>
      {create.error && <Problem message={create.error.message} />}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={close}>
          Cancel
        </button>
        <button
          type="submit"
          className="btn"
          data-kind="primary"
          disabled={create.isPending || create.isSuccess || !first || !name.trim()}
        >
          Save schedule
        </button>
      </div>
    </form>
  );
}
