import { isDeepStrictEqual } from "node:util";
import type { RunLight, RunView, TrialView, WatchEvent } from "@rigmark/results";

/** What a page has of a run, apart from its points and log lines. */
export interface Shown {
  run: RunLight;
  environment: RunView["environment"];
}

/** Percentiles that a live page shows; the whole list is with the rows. */
const PERCENTILES = new Set([50, 75, 90, 95, 97.5, 99, 99.9, 99.99, 100]);

/** What hardly changes is sent by itself, and what nobody looks at stays out. */
export function toShown({ environment, reports: _, ...run }: RunView): Shown {
  const withShown = (trial: TrialView): TrialView => {
    const latency = trial.result?.latency;
    if (!trial.result || !latency) return trial;
    const percentiles = latency.percentiles.filter(({ p }) => PERCENTILES.has(p));
    return { ...trial, result: { ...trial.result, latency: { ...latency, percentiles } } };
  };
  return { run: { ...run, trials: run.trials.map(withShown) }, environment };
}

/** All of it, for a viewer that has nothing, or something of unknown age. */
export const wholeOf = ({ run, environment }: Shown): WatchEvent[] => [
  { kind: "run", run },
  // One that was not reported needs no word: a page has none until it is told.
  ...(environment ? [{ kind: "environment" as const, environment }] : []),
];

/** Fields of the run that are others now, and trials that are. */
export function changesOf(before: Shown, now: Shown): WatchEvent[] {
  const sameTrials = isDeepStrictEqual(idsOf(before.run), idsOf(now.run));
  const fields = Object.entries(now.run).filter(([name, value]) =>
    name === "trials" ? !sameTrials : !isDeepStrictEqual(value, before.run[name as keyof RunLight]),
  );
  const trials = sameTrials
    ? now.run.trials.filter((trial, i) => !isDeepStrictEqual(trial, before.run.trials[i]))
    : [];
  return [
    ...(fields.length > 0
      ? [{ kind: "run" as const, run: Object.fromEntries(fields) as Partial<RunLight> }]
      : []),
    ...(trials.length > 0 ? [{ kind: "trials" as const, trials }] : []),
    ...(isDeepStrictEqual(before.environment, now.environment)
      ? []
      : [{ kind: "environment" as const, environment: now.environment }]),
  ];
}

const idsOf = (run: RunLight): string[] => run.trials.map((trial) => trial.trial_id);
