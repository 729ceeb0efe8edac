import { Id, RunSpec, RunState } from "@rigmark/protocol";
import { z } from "zod";
import { MOST_SCHEDULE_NAME, WAIT_HOURS, WEEKDAYS } from "../schedule";
import { Moment } from "./scalar";

/** When a schedule queues its run, and how long that waits; its runs have its name. */
export const ScheduleTimes = z.object({
  name: z.string().trim().min(1).max(MOST_SCHEDULE_NAME),
  /** After midnight UTC. */
  minute: z.int().min(0).max(1439),
  /** 1 is Monday. */
  days: z
    .array(z.int().min(1).max(WEEKDAYS.length))
    .min(1, "choose at least one day")
    .max(WEEKDAYS.length)
    .refine((days) => new Set(days).size === days.length, { message: "a day is named twice" }),
  wait_h: z.union(WAIT_HOURS.map((hours) => z.literal(hours))),
});
export const NewSchedule = ScheduleTimes.extend({ spec: RunSpec });

export const ScheduleCreated = z.object({ schedule_id: Id, next_due_at: Moment });

export const ScheduleView = z.object({
  schedule_id: Id,
  name: z.string(),
  host: z.object({ host_id: Id, name: z.string() }),
  minute: z.int(),
  days: z.array(z.int()),
  wait_h: z.int(),
  /** Labels of the entries, and names of the scenarios. */
  entries: z.array(z.string()),
  scenarios: z.array(z.string()),
  created_by: z.string().nullable(),
  /** Null while it is paused. */
  next_due_at: Moment.nullable(),
  /** When it was due last, or somebody queued it; null: not yet. */
  last_due_at: Moment.nullable(),
  /** The run that it queued then; null where there is none, or it was deleted. */
  last_run: z.object({ run_id: Id, state: RunState }).nullable(),
  /** Why it queued none. */
  last_skip: z.string().nullable(),
});
/** What a new run can begin with. */
export const SchedulePlan = z.object({ schedule_id: Id, name: z.string(), host_id: Id, spec: RunSpec });
export const ScheduleList = z.object({ schedules: z.array(ScheduleView) });

export type ScheduleTimes = z.infer<typeof ScheduleTimes>;
export type NewSchedule = z.infer<typeof NewSchedule>;
export type ScheduleCreated = z.infer<typeof ScheduleCreated>;
export type ScheduleView = z.infer<typeof ScheduleView>;
export type SchedulePlan = z.infer<typeof SchedulePlan>;
export type ScheduleList = z.infer<typeof ScheduleList>;
