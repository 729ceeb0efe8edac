import { arch, cpus, release, totalmem, type } from "node:os";
import { whenInterrupted } from "../interrupt";
import { version } from "../paths";
import { answer, say, seconds } from "../say";
import { attempt, faults, soFar } from "./attempt";
import { type Figure, fact } from "./figure";

/** Keeps the figures of the bench `each`. */
export type Measure = (each: string, bench: () => Promise<Figure[]>) => Promise<void>;

/**
 * Answers for the benches `names`, which together are called `name`; also when it is interrupted. `measureAll` returns
 * why some were not measured, or nothing. 0 when it could measure, whether or not the promises hold.
 */
export async function runBenches(
  name: string,
  names: readonly string[],
  measureAll: (measure: Measure) => Promise<string>,
): Promise<number> {
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

  const otherwise = await measureAll(async (each, bench) => {
    found.set(each, await told(each, bench));
  });
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
