import type { RunView } from "@rigmark/results";

type Progressing = Pick<RunView, "trials" | "timings">;

/** Seconds of load that are over and that there are, warm-up included. */
function load({ trials }: Pick<RunView, "trials">): { done: number; all: number } {
  let done = 0;
  let all = 0;
  for (const trial of trials) {
    const length = trial.warmup_s + trial.duration_s;
    all += length;
    if (trial.state === "running")
      done += trial.progress > 0 ? trial.warmup_s + trial.progress * trial.duration_s : 0;
    else if (trial.state !== "planned") done += length;
  }
  return { done, all };
}

/** 0 to 1 of the whole plan; null before there is one. */
export function progressOf(run: Pick<RunView, "trials">): number | null {
  const { done, all } = load(run);
  return all > 0 ? done / all : null;
}

/** Seconds that are left by the agent's plan; null before there is one. */
export function secondsLeft(run: Progressing): number | null {
  const part = progressOf(run);
  return part === null || run.timings.planned_s === null
    ? null
    : Math.max(0, run.timings.planned_s * (1 - part));
}
