import { CommandError, say } from "../say";
import { faults, limitTime } from "./attempt";
import { compose } from "./compose/index";
import type { Figure } from "./figure";
import { freshHost, freshHostArm64 } from "./fresh-host";
import { idle } from "./idle";
import { live } from "./live";
import { liveHour } from "./live-hour";
import { loadgen } from "./loadgen";
import { overhead } from "./overhead";
import { page } from "./page";
import { pullRequest } from "./pull-request";
import { queue } from "./queue";
import { type Measure, runBenches } from "./run";
import { servers, serversParts } from "./servers";
import { smallHost } from "./small-host";
import { soak } from "./soak";
import { type Stack, withStack } from "./stack";
import { web, webParts } from "./web";

const BENCHES: Record<string, (stack: Stack, options: readonly string[]) => Promise<Figure[]>> = {
  idle,
  page,
  queue,
  live,
  "live-hour": liveHour,
  overhead,
  "fresh-host": freshHost,
  "fresh-host-arm64": freshHostArm64,
  "small-host": smallHost,
};
/** These measure programs alone: no app, no database, no agent is started for them. */
const ALONE: Record<string, () => Promise<Figure[]>> = {
  servers,
  ...serversParts,
  loadgen,
  web,
  ...webParts,
  "pull-request": pullRequest,
  compose,
};
/** What runs without a name, within ten minutes. `idle` first: nothing has happened to the agent yet. */
const QUICK = ["idle", "page", "queue", "live", "overhead"];
const QUICK_MS = 600_000;

/** Measures our own promises and always answers. */
export async function run([name = "quick", ...options]: string[]): Promise<number> {
  if (name === "soak") return soak(options);
  const names = name === "quick" ? QUICK : [name];
  for (const each of names)
    if (!BENCHES[each] && !ALONE[each]) throw new CommandError(`there is no bench "${each}".`, { exit: 2 });
  return runBenches(name, names, async (measure) => {
    const otherwise = await withApp(names, options, name === "quick", measure);
    for (const each of names) {
      const bench = ALONE[each];
      if (bench) await measure(each, bench);
    }
    return otherwise;
  });
}

/** Why those that need the app were not measured; empty where nothing is missing. */
async function withApp(
  names: readonly string[],
  options: readonly string[],
  quick: boolean,
  measure: Measure,
): Promise<string> {
  if (!names.some((each) => BENCHES[each])) return "";
  try {
    await withStack(async (stack) => {
      // What was built before is not measuring.
      if (quick) limitTime(QUICK_MS);
      for (const each of names) {
        const bench = BENCHES[each];
        if (bench) await measure(each, () => bench(stack, options));
      }
    });
    return "";
  } catch (error) {
    if (!(error instanceof CommandError)) faults.push(error);
    const why = `The app could not be used: ${error instanceof Error ? error.message : error}`;
    say(why);
    return why;
  }
}
