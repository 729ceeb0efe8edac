import type { CDPSession } from "playwright-core";
import { say } from "../say";
import { createReport } from "../up/home";
import { withBrowser } from "./browser";
import { atMost, type Figure, fact } from "./figure";
import { finished, queueRun } from "./runs";
import type { Stack } from "./stack";

/** What a stranger's browser downloads for a public report, compressed as it travels. */
export async function page(stack: Stack): Promise<Figure[]> {
  const run = await finished(stack.home, await queueRun(stack, "bench: a report", 1));
  const url = await createReport(stack.home, run.run_id);
  const { script, all, scripts } = await withBrowser(async (browser) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    const seen = await count(session);
    await tab.goto(url, { waitUntil: "networkidle" });
    // Charts load when they come into view.
    await tab.keyboard.press("End");
    await tab.waitForTimeout(1500);
    return seen();
  });
  say(`page: ${scripts} scripts`);
  return [
    atMost("report_javascript", script / 1000, "kB", 200, "compressed "),
    fact("report_all_bytes", all / 1000, "kB"),
  ];
}

/** Bytes on the wire by kind, headers and compression included. */
async function count(session: CDPSession): Promise<() => { script: number; all: number; scripts: number }> {
  const kinds = new Map<string, string>();
  const totals = { script: 0, all: 0, scripts: 0 };
  session.on("Network.responseReceived", ({ requestId, type }) => void kinds.set(requestId, type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    totals.all += encodedDataLength;
    if (kinds.get(requestId) !== "Script") return;
    totals.script += encodedDataLength;
    totals.scripts += 1;
  });
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  return () => totals;
}
