import type { CDPSession } from "playwright-core";
import { say } from "../say";
import { publishRun } from "../up/home";
import { attempt } from "./attempt";
import { withBrowser } from "./browser";
import { atMost, type Figure, fact } from "./figure";
import { finished, queueRun } from "./runs";
import type { Stack } from "./stack";

/** What a stranger's browser downloads for a public report, compressed as it travels. */
export const page = (stack: Stack): Promise<Figure[]> => attempt([scriptSize(null)], () => sizes(stack));

const scriptSize = (kB: number | null): Figure => atMost("report_javascript", kB, "kB", 150, "compressed ");

async function sizes(stack: Stack): Promise<Figure[]> {
  const run = await finished(stack.home, await queueRun(stack, "bench: a report", 1));
  const url = await publishRun(stack.home, run.run_id);
  const files = await withBrowser(async (browser) => {
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
  const scripts = files.filter((file) => file.type === "Script").sort((a, b) => b.bytes - a.bytes);
  for (const { name, bytes } of scripts) say(`page: ${(bytes / 1000).toFixed(1).padStart(6)} kB ${name}`);
  const total = (of: Download[]): number => of.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
  return [scriptSize(total(scripts)), fact("report_all_bytes", total(files), "kB")];
}

interface Download {
  name: string;
  type: string;
  bytes: number;
}

/** Compressed bytes of bodies, by file; headers are not JavaScript. */
async function count(session: CDPSession): Promise<() => Download[]> {
  const files = new Map<string, Download>();
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    files.set(requestId, { type, name: response.url.split("/").at(-1) ?? "", bytes: 0 });
  });
  session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    const file = files.get(requestId);
    if (file) file.bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  return () => [...files.values()];
}
