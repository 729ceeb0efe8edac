import { setTimeout as sleep } from "node:timers/promises";
import { revokeReport } from "@rigmark/domain";
import { CommandError, say } from "../say";
import type { Home } from "../up/home";
import { type App, withSite } from "./app";
import { atMost, type Figure, fact } from "./figure";
import { pages } from "./pages";
import { makePublicReport, type PublicReport } from "./public-report";
import { firstByte, newConnections, rateOf } from "./web-load";

const FORMS = [
  { name: "page", suffix: "", goal: 500 },
  { name: "json", suffix: ".json", goal: 1500 },
  { name: "markdown", suffix: ".md", goal: 1500 },
  { name: "picture", suffix: "/og.png", goal: 1500 },
  { name: "badge", suffix: "/badge.svg", goal: 1500 },
];
const WATCH_MS = 3000;

/** What strangers ask for: the forms of a public report, kept warm, and how soon they are gone when it is revoked. */
const publicReport = (): Promise<Figure[]> =>
  withSite(async ({ home, startApp }) => {
    const shared = await makePublicReport(home);
    return measure(home, shared, [await startApp(), await startApp()]);
  });

/** What strangers ask for, and what members do. */
export const webParts = { "web-report": publicReport, "web-pages": pages };
export const web = async (): Promise<Figure[]> => [...(await publicReport()), ...(await pages())];

async function measure(home: Home, shared: PublicReport, apps: App[]): Promise<Figure[]> {
  const [first] = apps;
  if (!first) throw new CommandError("no web app was started.");
  const at = (app: App, suffix: string) => `${app.url}/r/${shared.slug}${suffix}`;
  const cold = await warm(apps.flatMap((app) => FORMS.map(({ suffix }) => at(app, suffix))));
  say(`web: a report of ${shared.trials} trials; all its forms were drawn, twice, in ${cold.toFixed(1)} s`);
  const figures: Figure[] = [
    atMost("page_first_byte_median", await firstByte(at(first, "")), "ms", 15, "p50 "),
  ];
  for (const { name, suffix, goal } of FORMS)
    figures.push(await rateOf(`${name}_rate`, at(first, suffix), goal, first.service.pid));
  figures.push(fact("page_rate_new_connections", await newConnections(at(first, "")), "req/s"));
  figures.push(fact("badge_rate_new_connections", await newConnections(at(first, "/badge.svg")), "req/s"));
  const revoke = () =>
    revokeReport({ ctx: home.ctx, input: { workspace: home.workspace, reportId: shared.reportId } });
  const urls = apps.flatMap((app) => FORMS.map(({ suffix }) => at(app, suffix)));
  figures.push(atMost("revoked_gone", await goneAfter(revoke, urls), "s", 1, "in each form on both apps "));
  figures.push(fact("trials", shared.trials, "trials"));
  return figures;
}

/** Seconds until each was drawn. */
async function warm(urls: string[]): Promise<number> {
  const began = performance.now();
  for (const url of urls) {
    const response = await fetch(url);
    await response.arrayBuffer();
    if (!response.ok) throw new CommandError(`${url} answered ${response.status}.`);
  }
  return (performance.now() - began) / 1000;
}

/** Seconds from the revocation to the last response that still showed something; null where one shows it to the end. */
async function goneAfter(revoke: () => Promise<unknown>, urls: string[]): Promise<number | null> {
  let over = false;
  const last = new Map<string, number>();
  const gone = new Set<string>();
  const watch = async (url: string) => {
    while (!over) {
      const asked = performance.now();
      const { status } = await fetch(url, { method: "HEAD" });
      if (status === 404) gone.add(url);
      else {
        gone.delete(url);
        last.set(url, asked);
      }
      await sleep(20);
    }
  };
  const watching = urls.map(watch);
  await sleep(500);
  await revoke();
  const from = performance.now();
  await sleep(WATCH_MS);
  over = true;
  await Promise.all(watching);
  if (gone.size < urls.length) return null;
  return Math.max(0, ...[...last.values()].map((at) => (at - from) / 1000));
}
