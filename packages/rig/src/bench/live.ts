import { CLAIM_HEADER } from "@rigmark/results/settings";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { z } from "zod";
import { CommandError, say } from "../say";
import { signInUrl } from "../up/home";
import { readAnchor } from "./anchor";
import { attempt, Disturbed } from "./attempt";
import { withBrowser } from "./browser";
import { atMost, type Figure, fact, quantile } from "./figure";
import { ended, queueRun, until } from "./runs";
import type { Stack } from "./stack";

const DURATION_S = 45;

const Message = z.object({
  json: z.object({
    kind: z.literal("points"),
    trial_id: z.string(),
    points: z.array(z.object({ t_s: z.number() })),
  }),
});

/** From the moment that the agent took a sample to the moment that Chromium has it, on one machine's clock. */
export async function live(stack: Stack): Promise<Figure[]> {
  const owner: Owner = { cookies: null };
  return attempt([comesWithin(null)], () => delaysOf(stack, owner));
}

const comesWithin = (p95: number | null): Figure => atMost("sample_to_browser_p95", p95, "s", 1.5, "p95 ");

async function delaysOf(stack: Stack, owner: Owner): Promise<Figure[]> {
  const { arrivals, runId } = await withBrowser(async (browser) => {
    const context = await signedIn(browser, stack, owner);
    const runId = await queueRun(stack, "bench: live", DURATION_S, 1);
    await until(stack.home, runId, (run) => run.state === "measuring");
    const tab = await context.newPage();
    const arrivals = await listen(await context.newCDPSession(tab));
    await open(tab, `${stack.web.publicUrl}/w/${stack.home.workspace}/runs/${runId}`);
    await ended(stack.home, runId);
    await tab.waitForTimeout(3000);
    return { arrivals, runId };
  });
  const run = await ended(stack.home, runId);
  const anchor = await readAnchor(stack.databaseUrl, runId);
  const opened = Math.min(...arrivals.map((a) => a.at_ms));
  const delays = arrivals.flatMap(({ trial_id, t_s, at_ms }) => {
    const from = run.trials.find((t) => t.trial_id === trial_id)?.measured_from_s;
    if (from === null || from === undefined) return [];
    const taken_ms = anchor.wall_ms + (from + t_s) * 1000;
    // What was there before the page was open waited for the page, not for us.
    return taken_ms < opened ? [] : [(at_ms - taken_ms) / 1000];
  });
  if (delays.length < 10)
    throw new Disturbed(`Only ${delays.length} samples reached the browser while it looked.`);
  say(`live: ${delays.length} samples, ${delays.map((d) => d.toFixed(2)).join(" ")}`);
  return [
    comesWithin(quantile(delays, 0.95)),
    fact("sample_to_browser_median", quantile(delays, 0.5), "s"),
    fact("sample_to_browser_samples", delays.length, "samples"),
  ];
}

interface Arrival {
  trial_id: string;
  t_s: number;
  at_ms: number;
}

/** The first time that each point came over the stream. */
async function listen(session: CDPSession): Promise<Arrival[]> {
  const arrivals = new Map<string, Arrival>();
  const list: Arrival[] = [];
  session.on("Network.eventSourceMessageReceived", ({ data }) => {
    const at_ms = Date.now();
    const read = Message.safeParse(parse(data));
    if (!read.success) return;
    const { trial_id, points } = read.data.json;
    for (const { t_s } of points) {
      const key = `${trial_id} ${t_s}`;
      if (arrivals.has(key)) continue;
      const arrival = { trial_id, t_s, at_ms };
      arrivals.set(key, arrival);
      list.push(arrival);
    }
  });
  await session.send("Network.enable");
  return list;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function open(tab: Page, url: string): Promise<void> {
  const response = await tab.goto(url);
  if (!response?.ok()) throw new CommandError(`${url} answered ${response?.status() ?? "nothing"}.`);
}

/** Who signed up, once there is somebody: the link for the first owner works once. */
interface Owner {
  cookies: Awaited<ReturnType<BrowserContext["storageState"]>> | null;
}

async function signedIn(browser: Browser, stack: Stack, owner: Owner): Promise<BrowserContext> {
  if (owner.cookies) return browser.newContext({ storageState: owner.cookies });
  const context = await browser.newContext();
  await becomeOwner(context, stack);
  owner.cookies = await context.storageState();
  return context;
}

/** Signs up and takes the workspace over, as the first person does with the printed link. */
async function becomeOwner(context: BrowserContext, stack: Stack): Promise<void> {
  const token = new URL(await signInUrl(stack.home)).searchParams.get("token");
  const origin = { Origin: stack.web.publicUrl, [CLAIM_HEADER]: token ?? "" };
  const signUp = await context.request.post(`${stack.web.publicUrl}/api/auth/sign-up/email`, {
    headers: origin,
    data: { name: "Bench", email: "bench@example.org", password: `bench-${process.pid}-long-enough` },
  });
  if (!signUp.ok()) throw new CommandError(`signing up failed: ${await signUp.text()}`);
  const claim = await context.request.post(`${stack.web.publicUrl}/api/trpc/setup.claim`, {
    headers: origin,
    data: { json: { token } },
  });
  if (!claim.ok()) throw new CommandError(`taking the workspace over failed: ${await claim.text()}`);
}
