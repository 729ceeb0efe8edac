"use client";

import type { ScheduleTimes } from "@rigmark/results";
import {
  clockOf,
  MOST_SCHEDULE_NAME,
  minuteOf,
  nextDue,
  WAIT_HOURS,
  WEEKDAY_NAMES,
  WEEKDAYS,
} from "@rigmark/results/schedule";
import { type FormEvent, useId, useState } from "react";
import { plural } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";

interface ScheduleFormProps {
  initial: { name: string; minute: number; days: readonly number[]; wait_h: number };
  save: (times: ScheduleTimes) => void;
  busy: boolean;
  error: string | undefined;
  close: () => void;
  paused?: boolean;
}

/** Name, time, days and how long its runs wait. */
export function ScheduleForm({ initial, save, busy, error, close, paused = false }: ScheduleFormProps) {
  const waiting = useId();
  const [name, setName] = useState(initial.name);
  const [clock, setClock] = useState(clockOf(initial.minute));
  const [days, setDays] = useState<readonly number[]>(initial.days);
  const [wait, setWait] = useState<ScheduleTimes["wait_h"]>(
    WAIT_HOURS.find((hours) => hours === initial.wait_h) ?? 12,
  );
  const minute = minuteOf(clock);
  const first = minute === null ? null : nextDue({ minute, days }, new Date());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // In React's tree this form may stand inside of another one.
    event.stopPropagation();
    if (minute === null) return;
    save({ name: name.trim(), minute, days: [...days], wait_h: wait });
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
        hint="Each new run of this schedule gets this name."
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
          How long a run waits for the host
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
          If the host does not start a run within this time, the run expires. Missed runs are not queued
          later. While one run of this schedule is queued or running, the next one is skipped.
        </p>
      </div>
      <p aria-live="polite">
        {first
          ? `${paused ? "This schedule is paused. Its next run would be" : "Next run:"} ${formatMoment(first.toISOString())}`
          : "Choose a time and at least one day."}
      </p>
      {error && <Problem message={error} />}
      <div className="flex justify-end gap-2">
        <button type="button" className="btn" onClick={close}>
          Cancel
        </button>
        <button type="submit" className="btn" data-kind="primary" disabled={busy || !first || !name.trim()}>
          Save schedule
        </button>
      </div>
    </form>
  );
}
