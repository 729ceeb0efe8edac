/** When schedules are due. A file of its own, without schemas: pages use it in code that must not carry zod. */

/** Schedules of one workspace, and characters of a schedule's name. */
export const MOST_SCHEDULES = 50;
export const MOST_SCHEDULE_NAME = 120;

/** Days of the week as ISO 8601 numbers them: 1 is Monday. */
export const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;
export const WEEKDAY_NAMES = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Hours that a run may wait for its host before it expires. */
export const WAIT_HOURS = [1, 6, 12, 24, 72] as const;

export interface Times {
  /** After midnight UTC. */
  minute: number;
  /** Numbers of WEEKDAYS, at least one. */
  days: readonly number[];
}

const DAYS_A_WEEK = WEEKDAYS.length;
const weekdayOf = (at: Date): number => at.getUTCDay() || DAYS_A_WEEK;

/** The first moment after `after` at which it is due. Null without a day. */
export function nextDue({ minute, days }: Times, after: Date): Date | null {
  const [year, month, day] = [after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate()];
  for (let ahead = 0; ahead <= DAYS_A_WEEK; ahead += 1) {
    const at = new Date(Date.UTC(year, month, day + ahead, 0, minute));
    if (at > after && days.includes(weekdayOf(at))) return at;
  }
  return null;
}

/** `02:05`. */
export const clockOf = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");

/** Minutes after midnight of `02:05`; null of anything else. */
export function minuteOf(clock: string): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(clock) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** `every day at 02:05 UTC`, or `Monday, Friday at 02:05 UTC`. */
export function timesInWords({ minute, days }: Times): string {
  const named = WEEKDAYS.flatMap((day) => (days.includes(day) ? [WEEKDAY_NAMES[day - 1]] : []));
  return `${named.length === DAYS_A_WEEK ? "every day" : named.join(", ")} at ${clockOf(minute)} UTC`;
}
