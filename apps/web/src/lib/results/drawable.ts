import type { CoursePoint } from "./course";

/** A rate over less than this says more about the sampler's clock than about the server. */
const SHORTEST_S = 0.25;

export interface DrawnPoint {
  t_s: number;
  point: CoursePoint | null;
}

/**
 * Points as a line may show them. Between warm-up and measured window the tool starts anew: the line breaks there.
 * Warm-up ends where measuring begins, even if it began late. Slivers at either end are left to the table.
 */
export function drawable(points: readonly CoursePoint[]): DrawnPoint[] {
  const warm = points.filter((p) => p.window === "warm-up");
  const measured = points.filter((p) => p.window === "measure");
  const late = Math.max(0, (warm.at(-1)?.t_s ?? 0) - Math.min(0, measured[0]?.t_s ?? 0));
  const drawn: DrawnPoint[] = whole(warm).map((p) => ({ t_s: p.t_s - late, point: p }));
  const [first, ...rest] = measured;
  if (!first) return drawn;
  if (drawn.length > 0) drawn.push({ t_s: 0, point: null });
  // The first measured point spans the switch from warm-up, or hardly any time at all.
  const spansLoad = warm.length === 0 && first.t_s >= SHORTEST_S;
  const body = whole([first, ...rest]).slice(spansLoad ? 0 : 1);
  return [...drawn, ...body.map((p) => ({ t_s: p.t_s, point: p }))];
}

const whole = (points: readonly CoursePoint[]): CoursePoint[] =>
  points.filter((p, i) => {
    const before = points[i - 1];
    return i === 0 || before === undefined || p.t_s - before.t_s >= SHORTEST_S;
  });
