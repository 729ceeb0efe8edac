import { type Browser, chromium } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "../chromium";
import { CommandError } from "../say";

export async function withBrowser<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new CommandError("there is no Chromium here: install it, or name one with CHROMIUM.");
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}
