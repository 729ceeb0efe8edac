import { arch, cpus, release, totalmem, type } from "node:os";
import { version } from "../paths";
import { answer, CommandError, say, seconds } from "../say";
import type { Figure } from "./figure";
import { idle } from "./idle";
import { live } from "./live";
import { overhead } from "./overhead";
import { page } from "./page";
import { queue } from "./queue";
import { type Stack, withStack } from "./stack";

const BENCHES: Record<string, (stack: Stack) => Promise<Figure[]>> = { idle, page, queue, live, overhead };
/** What runs without a name, within ten minutes. `idle` first: nothing has happened to the agent yet. */
const QUICK = ["idle", "page", "queue", "live", "overhead"];

/** Measures our own promises. 0 when it could measure, whether or not they hold. */
export async function run([name = "quick"]: string[]): Promise<number> {
  const names = name === "quick" ? QUICK : [name];
  const began = Date.now();
  const figures = await withStack(async (stack) => {
    const all: Figure[] = [];
    for (const each of names) {
      const measure = BENCHES[each];
      if (!measure) throw new CommandError(`there is no bench "${each}".`, { exit: 2 });
      say(`bench ${each}`);
      for (const figure of await measure(stack)) {
        all.push(figure);
        const holds = figure.holds === null ? "" : figure.holds ? " holds" : " DOES NOT HOLD";
        say(
          `  ${figure.name} = ${figure.value} ${figure.unit}${figure.goal ? ` (${figure.goal})` : ""}${holds}`,
        );
      }
    }
    return all;
  });
  say(`measured in ${seconds(Date.now() - began)}`);
  answer(JSON.stringify({ bench: name, host: describeHost(), figures }));
  return 0;
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
