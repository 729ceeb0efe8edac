export { changeSchedule } from "./change";
export { createSchedule } from "./create";
export { deleteSchedule } from "./delete";
export { expireRuns } from "./expire";
export { listSchedules } from "./list";
export { pauseSchedule } from "./pause";
export { queueDueRuns } from "./queue-due";
export { resumeSchedule } from "./resume";
