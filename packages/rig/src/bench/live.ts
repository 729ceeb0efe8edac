import type { CDPSession, Page } from "playwright-core";
import { CommandError, say } from "../say";
import { type Arrivals, collectArrivals, delaysOf } from "./arrivals";
import { attempt, Disturbed } from "./attempt";
import { withBrowser } from "./browser";
import { atMost, type Figure, fact, quantile } from "./figure";
import { PROMISED, VIEWERS_MS, viewers } from "./live-viewers";
import { type Owner, signedIn } from "./owner";
import { ended, LIGHT_SCENARIO, queueRun, until } from "./runs";
import type { Stack } from "./stack";

const DURATION_S = 45;

/** How soon a sample is in Chromium, and what many viewers of one run cost. */
export async function live(stack: Stack): Promise<Figure[]> {
  const owner: Owner = { cookies: null };
  return [
    ...(await attempt([comesWithin(null)], () => toBrowser(stack, owner))),
    ...(await attempt(PROMISED, () => viewers(stack, owner), { needs_ms: VIEWERS_MS })),
  ];
}

const comesWithin = (p95: number | null): Figure => atMost("sample_to_browser_p95", p95, "s", 0.5, "p95 ");

async function toBrowser(stack: Stack, owner: Owner): Promise<Figure[]> {
  const { arrivals, runId } = await withBrowser(async (browser) => {
    const context = await signedIn(browser, stack.home, owner);
    const runId = await queueRun(stack, "bench: live", DURATION_S, 1, LIGHT_SCENARIO);
    await until(stack.home, runId, (run) => run.state === "measuring");
    const tab = await context.newPage();
    const arrivals = await listen(await context.newCDPSession(tab));
    await open(tab, `${stack.web.publicUrl}/w/${stack.home.workspace}/runs/${runId}`);
    await ended(stack.home, runId);
    await tab.waitForTimeout(3000);
    return { arrivals: arrivals.list, runId };
  });
  const opened = Math.min(...arrivals.map((a) => a.at_ms));
  const delays = await delaysOf(stack, runId, arrivals, opened);
  if (delays.length < 10)
    throw new Disturbed(`Only ${delays.length} samples reached the browser while it looked.`);
  say(`live: ${delays.length} samples, ${delays.map((d) => d.toFixed(2)).join(" ")}`);
  return [
    comesWithin(quantile(delays, 0.95)),
    fact("sample_to_browser_median", quantile(delays, 0.5), "s"),
    fact("sample_to_browser_samples", delays.length, "samples"),
  ];
}

async function listen(session: CDPSession): Promise<Arrivals> {
  const arrivals = collectArrivals();
  session.on("Network.eventSourceMessageReceived", ({ data }) => arrivals.take(data));
  await session.send("Network.enable");
  return arrivals;
}

async function open(tab: Page, url: string): Promise<void> {
  const response = await tab.goto(url);
  if (!response?.ok()) throw new CommandError(`${url} answered ${response?.status() ?? "nothing"}.`);
}
