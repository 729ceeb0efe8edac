import { existsSync } from "node:fs";
import { env } from "./env";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** The system's Chromium, or the one that CHROMIUM names. Nothing is downloaded. */
export function findChromium(): string | null {
  if (env.CHROMIUM) return existsSync(env.CHROMIUM) ? env.CHROMIUM : null;
  const found = env.PATH.split(":").flatMap((dir) => NAMES.map((name) => `${dir}/${name}`));
  return [...found, MAC].find((path) => existsSync(path)) ?? null;
}

export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];
