import { type Browser, chromium, errors } from "playwright-core";
import { CHROMIUM_FLAGS, findChromium } from "../chromium";
import { CommandError } from "../say";
import { Disturbed } from "./attempt";

export async function withBrowser<T>(use: (browser: Browser) => Promise<T>): Promise<T> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new CommandError("there is no Chromium here: install it, or name one with CHROMIUM.");
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  try {
    return await use(browser);
  } catch (error) {
    // Pages that take half a minute are the host's doing.
    if (error instanceof errors.TimeoutError) throw new Disturbed(error.message.split("\n")[0] ?? "");
    throw error;
  } finally {
    await browser.close();
  }
}
