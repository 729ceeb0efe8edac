import { listRuns } from "@rigmark/domain";
import { CommandError, say } from "../say";
import { Disturbed } from "./attempt";
import { atMost, type Figure, fact, unmeasured } from "./figure";
import { MEMORY, VIEWERS, viewers } from "./live-viewers";
import { numberOf } from "./option";
import { cookieHeader, type Owner } from "./owner";
import type { Stack } from "./stack";

const USUAL_MIN = 60;
const COMPARED = 20;

/** `./rig bench live-hour [--minutes N]`: memory of the app after an hour of pages, and of runs that many watch. */
export async function liveHour(stack: Stack, options: readonly string[]): Promise<Figure[]> {
  const minutes = numberOf("live-hour", "--minutes", USUAL_MIN, options);
  const promised = (memory: number | null) =>
    atMost("hour_web_memory", memory, "MiB", 350, `${minutes} min with ${VIEWERS} viewers `);
  if (process.platform !== "linux")
    return unmeasured([promised(null)], "Only /proc is read, and this is not Linux.");
  const owner: Owner = { cookies: null };
  const found: number[] = [];
  const end = Date.now() + minutes * 60_000;
  do {
    await browse(stack, await cookieHeader(stack.home, owner));
    const memory = await withViewers(stack, owner);
    if (memory === null) continue;
    found.push(memory);
    const left_min = Math.max(0, Math.round((end - Date.now()) / 60_000));
    say(`live-hour: ${memory.toFixed(0)} MiB, ${left_min} min left`);
  } while (Date.now() < end);
  return [
    promised(found.at(-1) ?? null),
    fact("hour_web_memory_most", found.length > 0 ? Math.max(...found) : null, "MiB"),
    fact("hour_runs", found.length, "runs"),
  ];
}

/** While all of them watch a run; null where the host did not allow it. One such run is no reason to begin the hour anew. */
async function withViewers(stack: Stack, owner: Owner): Promise<number | null> {
  try {
    const figures = await viewers(stack, owner);
    return figures.find(({ name }) => name === MEMORY)?.value ?? null;
  } catch (error) {
    if (!(error instanceof Disturbed)) throw error;
    say(`  ${error.message}`);
    return null;
  }
}

/** A page for each viewer, one after the other. */
async function browse({ home, web }: Stack, cookie: string): Promise<void> {
  const input = { workspace: home.workspace, limit: COMPARED };
  const { runs } = await listRuns({ ctx: home.ctx, input });
  const ids = runs.map((run) => run.run_id);
  const at = `${web.publicUrl}/w/${home.workspace}`;
  const pages = [
    ...[at, `${at}/runs`, `${at}/reports`, `${web.publicUrl}/explore`, `${web.publicUrl}/docs`],
    ...ids.map((id) => `${at}/runs/${id}`),
    ...(ids.length > 1 ? [`${at}/compare?runs=${ids.join(",")}`] : []),
    ...runs.slice(0, 1).map(({ host, scenarios: [scenario = ""], entries: [entry] }) => {
      const series = { host: host.host_id, scenario, entry: entry?.label ?? "" };
      return `${at}/history?${new URLSearchParams(series)}`;
    }),
  ];
  for (let i = 0; i < VIEWERS; i += 1) {
    const url = pages[i % pages.length] ?? at;
    const response = await fetch(url, { headers: { cookie } });
    await response.arrayBuffer();
    if (!response.ok) throw new CommandError(`${url} answered ${response.status}.`);
  }
}
