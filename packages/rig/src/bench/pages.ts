import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";
import { CommandError, say } from "../say";
import { withSite } from "./app";
import { attempt } from "./attempt";
import { withBrowser } from "./browser";
import { type Drawn, openDrawn } from "./drawn";
import { atMost, type Figure, fact, quantile } from "./figure";
import { makeHost, makeRun } from "./made-run";
import { copyRuns } from "./many-runs";
import { cookieHeader, type Owner, signedIn } from "./owner";
import { cpuSeconds, rssMib } from "./procfs";

const [RUNS, COMPARED] = [100_000, 20];
const [ASKED, DRAWN] = [100, 5];
/** The first ones find nothing compiled and nothing in the database's memory. */
const WARM = 5;
/** Of what has no promise and takes long. */
const FEW = 10;

/** What members ask for in a workspace of 100,000 runs: its list, a comparison of twenty, a history of 2,000 points. */
export const pages = (): Promise<Figure[]> =>
  withSite(async ({ home, databaseUrl, publicUrl, startApp }) => {
    const agent = await makeHost(home);
    const runIds: string[] = [];
    for (let i = 0; i < COMPARED; i += 1)
      runIds.push(
        await makeRun(home, agent, {
          ...{ title: `Run ${i + 1}`, servers: 4, scenarios: 3, repeats: 5 },
          seed: i + 1,
        }),
      );
    const began = performance.now();
    await copyRuns(databaseUrl, runIds, RUNS - COMPARED);
    say(`web: ${RUNS} runs were made in ${((performance.now() - began) / 1000).toFixed(0)} s`);
    const app = await startApp();
    await untilIdle(app.service.pid);
    const owner: Owner = { cookies: null };
    const cookie = await cookieHeader(home, owner);
    const at = `${publicUrl}/w/${home.workspace}`;
    const list = (input: object) =>
      `${publicUrl}/api/trpc/run.list?input=${encodeURIComponent(
        JSON.stringify({ json: { workspace: home.workspace, limit: 30, ...input } }),
      )}`;
    const comparison = `${at}/compare?runs=${runIds.join(",")}`;
    const history = `${at}/history?host=${agent.hostId}&scenario=static-1k-ab&entry=server-2`;
    const asked = async (
      name: string,
      url: string,
      limit: number | null,
      ask = wholeResponse,
      many = ASKED,
    ) => {
      const times: number[] = [];
      for (let i = -WARM; i < many; i += 1) {
        const took = await ask(url, cookie);
        if (i >= 0) times.push(took);
      }
      const p95 = quantile(times, 0.95);
      say(`web: ${name} ${p95?.toFixed(1)} ms (p95)`);
      return limit === null
        ? fact(`${name}_p95`, p95, "ms")
        : atMost(`${name}_p95`, p95, "ms", limit, "p95 ");
    };
    const figures = [
      await asked("list", list({}), 50),
      await asked("list_of_branch", list({ filter: { branch: ["main"] } }), 50),
      await asked("list_of_tag", list({ filter: { tag: ["release"] } }), 50),
      await asked("list_search", list({ filter: { q: "copy" } }), 50),
      await asked("list_search_rare", list({ filter: { q: "copy 99979" } }), null, wholeResponse, FEW),
      await asked("list_page_first_byte", `${at}/runs`, null, firstByte),
      await asked("compare_first_byte", comparison, 100, firstByte),
      await asked("history_first_byte", history, 100, firstByte),
      fact("web_memory", rssMib(app.service.pid), "MiB"),
    ];
    const inBrowser = () =>
      withBrowser(async (browser) => {
        const context = await signedIn(browser, home, owner);
        return [
          ...(await drawn("list", context, `${at}/runs`, "main li")),
          ...(await drawn("compare", context, comparison, "main li, main table tbody tr")),
          ...(await drawn("history", context, history, "main canvas")),
        ];
      });
    const promised = ["list", "compare", "history"].flatMap((name) => drawnFigures(name, null, null));
    return [...figures, ...(await attempt(promised, inBrowser))];
  });

/** Twenty runs have just ended: what the app finds out about them is no part of what a page takes. */
async function untilIdle(pid: number): Promise<void> {
  let quiet = 0;
  for (let s = 0; s < 120 && quiet < 3; s += 1) {
    const before = cpuSeconds(pid);
    await sleep(1000);
    quiet = cpuSeconds(pid) - before < 0.05 ? quiet + 1 : 0;
  }
}

const drawnFigures = (name: string, ms: number | null, shift: number | null): Figure[] => [
  atMost(`${name}_drawn_median`, ms, "ms", 1000, "p50 "),
  atMost(`${name}_layout_shift`, shift, "", 0.001),
];

async function drawn(name: string, context: BrowserContext, url: string, shows: string): Promise<Figure[]> {
  const seen: Drawn[] = [];
  for (let i = -1; i < DRAWN; i += 1) {
    const one = await openDrawn(context, url, shows);
    if (i >= 0) seen.push(one);
  }
  const ms = quantile(
    seen.map((s) => s.ms),
    0.5,
  );
  const shift = Math.max(...seen.map((s) => s.layout_shift));
  return drawnFigures(name, ms, shift);
}

/** Milliseconds until a response is there, whole. */
async function wholeResponse(url: string, cookie: string): Promise<number> {
  const began = performance.now();
  const response = await ask(url, cookie);
  await response.arrayBuffer();
  return performance.now() - began;
}

/** Milliseconds until a response begins; the rest is read so that the next request meets an idle app. */
async function firstByte(url: string, cookie: string): Promise<number> {
  const began = performance.now();
  const reader = (await ask(url, cookie)).body?.getReader();
  await reader?.read();
  const took = performance.now() - began;
  while (reader && !(await reader.read()).done);
  return took;
}

async function ask(url: string, cookie: string): Promise<Response> {
  const response = await fetch(url, { headers: { cookie } });
  if (!response.ok) throw new CommandError(`${url} answered ${response.status}.`);
  return response;
}
