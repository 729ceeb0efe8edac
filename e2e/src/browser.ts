import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { env } from "./env";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

export const WIDE = { width: 1440, height: 900 };
const MIDDLE = { width: 768, height: 1024 };
export const NARROW = { width: 390, height: 844 };
export const WIDTHS = [WIDE, MIDDLE, NARROW];
export type Theme = "light" | "dark";

/** Chromium drops what is under way when an interface of the host comes or goes, and asks again: not the page's fault. */
const NETWORK_CHANGED = /net::ERR_NETWORK_CHANGED/;

/** The system's Chromium. Nothing is downloaded. */
export const launch = (): Promise<Browser> => chromium.launch({ executablePath: env.CHROMIUM, args: FLAGS });

/** A context without cookies: somebody who has never been here. */
export const stranger = async (
  browser: Browser,
  look: {
    viewport?: { width: number; height: number };
    theme?: Theme;
    scale?: number;
    /** What the browser prefers to read. */
    locale?: string;
  } = {},
): Promise<{ context: BrowserContext; page: Page; errors: string[] }> => {
  const context = await browser.newContext({
    viewport: look.viewport ?? WIDE,
    deviceScaleFactor: look.scale ?? 1,
    colorScheme: look.theme ?? "light",
    locale: look.locale ?? "en-US",
    reducedMotion: "reduce",
  });
  // What a page waits for comes on a busy host, too.
  context.setDefaultTimeout(240_000);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (e) => errors.push(`${page.url()}: ${e.message}`));
  page.on("console", (m) => {
    if (m.type() === "error" && !NETWORK_CHANGED.test(m.text()))
      errors.push(`${page.url()}: ${m.text()} (${m.location().url})`);
  });
  return { context, page, errors };
};
