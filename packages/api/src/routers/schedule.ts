import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  getSchedule,
  listSchedules,
  pauseSchedule,
  queueSchedule,
  resumeSchedule,
} from "@rigmark/domain";
import {
  NewSchedule,
  Nothing,
  RunCreated,
  ScheduleCreated,
  ScheduleList,
  SchedulePlan,
  ScheduleTimes,
} from "@rigmark/results";
import { InWorkspace, OfHost, OfSchedule } from "../input";
import { procedure, router } from "../trpc";

/** Plans that are queued at their times. */
export const schedule = router({
  list: procedure
    .input(InWorkspace)
    .output(ScheduleList)
    .query(({ ctx: { ctx }, input }) => listSchedules({ ctx, input })),
  get: procedure
    .input(OfSchedule)
    .output(SchedulePlan)
    .query(({ ctx: { ctx }, input }) => getSchedule({ ctx, input })),
  create: procedure
    .input(OfHost.extend(NewSchedule.shape))
    .output(ScheduleCreated)
    .mutation(({ ctx: { ctx }, input }) => createSchedule({ ctx, input })),
  /** Its plan and its host stay. */
  change: procedure
    .input(OfSchedule.extend(ScheduleTimes.shape))
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => changeSchedule({ ctx, input })),
  /** At once, whenever it is due. */
  queue: procedure
    .input(OfSchedule)
    .output(RunCreated)
    .mutation(({ ctx: { ctx }, input }) => queueSchedule({ ctx, input })),
  pause: procedure
    .input(OfSchedule)
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => pauseSchedule({ ctx, input })),
  resume: procedure
    .input(OfSchedule)
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => resumeSchedule({ ctx, input })),
  delete: procedure
    .input(OfSchedule)
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => deleteSchedule({ ctx, input })),
});
