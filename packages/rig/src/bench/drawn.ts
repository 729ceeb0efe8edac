import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext } from "playwright-core";
import { CommandError } from "../say";
import { Disturbed } from "./attempt";

export interface Drawn {
  /** From the navigation until what matters of the page, as far as it is in view, has been drawn. */
  ms: number;
  /** How much moved after it was seen (Cumulative Layout Shift, web.dev/cls); 0: nothing. */
  layout_shift: number;
}

const PATIENCE_MS = 20_000;
const LOOK_MS = 50;

/** Opens a page in a fresh tab and looks at it until what `shows` selects is there; then waits for what moves late. */
export async function openDrawn(context: BrowserContext, url: string, shows: string): Promise<Drawn> {
  const tab = await context.newPage();
  try {
    await tab.addInitScript(watch(shows));
    const response = await tab.goto(url, { waitUntil: "commit" });
    if (!response?.ok()) throw new CommandError(`${url} answered ${response?.status() ?? "nothing"}.`);
    // Asked for, and not waited for in the page: its own policy forbids code that is made from text.
    for (
      const until = Date.now() + PATIENCE_MS;
      (await tab.evaluate("window.benchDrawn")) === null;
      await sleep(LOOK_MS)
    )
      if (Date.now() > until) throw new Disturbed(`${url} was not drawn within ${PATIENCE_MS / 1000} s.`);
    await tab.waitForLoadState("networkidle");
    return await tab.evaluate<Drawn>("({ ms: window.benchDrawn, layout_shift: window.benchShift })");
  } finally {
    await tab.close();
  }
}

/** In the page, before anything else. A chart counts as drawn once a pixel of it is not clear, what `shows` names once it is there. */
const watch = (shows: string) => `
window.benchShift = 0;
window.benchDrawn = null;
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.benchShift += shift.value;
}).observe({ type: "layout-shift", buffered: true });
const small = new OffscreenCanvas(32, 32).getContext("2d", { willReadFrequently: true });
const isDrawn = (canvas) => {
  small.clearRect(0, 0, 32, 32);
  if (canvas.width > 0 && canvas.height > 0) small.drawImage(canvas, 0, 0, 32, 32);
  return small.getImageData(0, 0, 32, 32).data.some((value) => value > 0);
};
const inView = (canvas) => {
  const box = canvas.getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight;
};
const look = () => {
  const all = [...document.querySelectorAll(${JSON.stringify(shows)})].filter(inView);
  if (all.length > 0 && all.every((shown) => shown.tagName !== "CANVAS" || isDrawn(shown))) window.benchDrawn = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
`;
