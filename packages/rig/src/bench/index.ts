import { arch, cpus, release, totalmem, type } from "node:os";
import { whenInterrupted } from "../interrupt";
import { version } from "../paths";
import { answer, CommandError, say, seconds } from "../say";
import { attempt, faults, limitTime, soFar } from "./attempt";
import { type Figure, fact } from "./figure";
import { idle } from "./idle";
import { live } from "./live";
import { loadgen } from "./loadgen";
import { method, methodParts } from "./method";
import { noisy } from "./noisy";
import { overhead } from "./overhead";
import { page } from "./page";
import { queue } from "./queue";
import { servers, serversParts } from "./servers";
import { type Stack, withStack } from "./stack";
import { web } from "./web";

const BENCHES: Record<string, (stack: Stack) => Promise<Figure[]>> = { idle, page, queue, live, overhead };
/** These measure programs alone: no app, no database, no agent is started for them. */
const ALONE: Record<string, () => Promise<Figure[]>> = {
  servers,
  ...serversParts,
  loadgen,
  web,
  method,
  ...methodParts,
  noisy,
};
/** What runs without a name, within ten minutes. `idle` first: nothing has happened to the agent yet. */
const QUICK = ["idle", "page", "queue", "live", "overhead"];
const QUICK_MS = 600_000;

/** Measures our own promises and always answers. 0 when it could measure, whether or not they hold. */
export async function run([name = "quick"]: string[]): Promise<number> {
  const names = name === "quick" ? QUICK : [name];
  for (const each of names)
    if (!BENCHES[each] && !ALONE[each]) throw new CommandError(`there is no bench "${each}".`, { exit: 2 });
  const began = Date.now();
  const found = new Map<string, Figure[]>();
  const tell = (otherwise: string): Figure[] => {
    const figures = names.flatMap((each) => found.get(each) ?? unanswered(each, otherwise));
    answer(JSON.stringify({ bench: name, host: describeHost(), figures }));
    return figures;
  };
  whenInterrupted(async () => {
    const running = names.find((each) => !found.has(each));
    const why = "It was interrupted.";
    if (running && soFar.length > 0) found.set(running, [...soFar, ...unanswered(running, why)]);
    tell(why);
  });

  let otherwise = "";
  if (names.some((each) => BENCHES[each])) {
    try {
      await withStack(async (stack) => {
        // What was built before is not measuring.
        if (name === "quick") limitTime(QUICK_MS);
        for (const each of names) {
          const measure = BENCHES[each];
          if (measure) found.set(each, await told(each, () => measure(stack)));
        }
      });
    } catch (error) {
      if (!(error instanceof CommandError)) faults.push(error);
      otherwise = `The app could not be used: ${error instanceof Error ? error.message : error}`;
      say(otherwise);
    }
  }
  for (const each of names) {
    const measure = ALONE[each];
    if (measure) found.set(each, await told(each, measure));
  }
  for (const fault of faults) say(fault instanceof Error && fault.stack ? fault.stack : String(fault));
  say(`measured in ${seconds(Date.now() - began)}`);
  const figures = tell(otherwise);
  return faults.length === 0 && figures.some((figure) => figure.value !== null) ? 0 : 1;
}

/** A bench that says nothing itself is one figure without a value. */
const unanswered = (name: string, reason: string): Figure[] => [{ ...fact(name, null, ""), reason }];

async function told(name: string, measure: () => Promise<Figure[]>): Promise<Figure[]> {
  say(`bench ${name}`);
  soFar.length = 0;
  const figures = await attempt([fact(name, null, "")], measure);
  for (const figure of figures) {
    const holds = figure.holds === null ? "" : figure.holds ? " holds" : " DOES NOT HOLD";
    const value =
      figure.value === null ? `not measured: ${figure.reason}` : `${figure.value} ${figure.unit}`.trim();
    say(`  ${figure.name} = ${value}${figure.goal ? ` (${figure.goal})` : ""}${holds}`);
  }
  return figures;
}

const describeHost = () => ({
  os: `${type()} ${release()}`,
  arch: arch(),
  cpu: cpus()[0]?.model ?? null,
  cpus: cpus().length,
  memory_bytes: totalmem(),
  node: process.versions.node,
  rigmark: version(),
});
