import { arch, cpus, release, totalmem, type } from "node:os";
import { version } from "../paths";
import { answer, CommandError, say, seconds } from "../say";
import type { Figure } from "./figure";
import { idle } from "./idle";
import { live } from "./live";
import { loadgen } from "./loadgen";
import { method, methodParts } from "./method";
import { noisy } from "./noisy";
import { overhead } from "./overhead";
import { page } from "./page";
import { queue } from "./queue";
import { servers } from "./servers";
import { type Stack, withStack } from "./stack";
import { web } from "./web";

const BENCHES: Record<string, (stack: Stack) => Promise<Figure[]>> = { idle, page, queue, live, overhead };
/** These measure programs alone: no app, no database, no agent is started for them. */
const ALONE: Record<string, () => Promise<Figure[]>> = {
  servers,
  loadgen,
  web,
  method,
  ...methodParts,
  noisy,
};
/** What runs without a name, within ten minutes. `idle` first: nothing has happened to the agent yet. */
const QUICK = ["idle", "page", "queue", "live", "overhead"];

/** Measures our own promises. 0 when it could measure, whether or not they hold. */
export async function run([name = "quick"]: string[]): Promise<number> {
  const names = name === "quick" ? QUICK : [name];
  const began = Date.now();
  for (const each of names)
    if (!BENCHES[each] && !ALONE[each]) throw new CommandError(`there is no bench "${each}".`, { exit: 2 });
  const figures: Figure[] = [];
  if (names.some((each) => BENCHES[each]))
    figures.push(
      ...(await withStack(async (stack) => {
        const all: Figure[] = [];
        for (const each of names) {
          const measure = BENCHES[each];
          if (measure) all.push(...(await told(each, () => measure(stack))));
        }
        return all;
      })),
    );
  for (const each of names) {
    const measure = ALONE[each];
    if (measure) figures.push(...(await told(each, measure)));
  }
  say(`measured in ${seconds(Date.now() - began)}`);
  answer(JSON.stringify({ bench: name, host: describeHost(), figures }));
  return 0;
}

async function told(name: string, measure: () => Promise<Figure[]>): Promise<Figure[]> {
  say(`bench ${name}`);
  const figures = await measure();
  for (const figure of figures) {
    const holds = figure.holds === null ? "" : figure.holds ? " holds" : " DOES NOT HOLD";
    say(`  ${figure.name} = ${figure.value} ${figure.unit}${figure.goal ? ` (${figure.goal})` : ""}${holds}`);
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
