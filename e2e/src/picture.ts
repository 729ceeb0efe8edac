import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { NARROW, WIDE } from "./browser";
import { env } from "./env";

/** Pictures of the real page for README and docs: both themes, both widths. Does nothing unless a folder is named. */
export async function picture(page: Page, name: string, fullPage = false): Promise<void> {
  if (!env.RIGMARK_PICTURES) return;
  mkdirSync(env.RIGMARK_PICTURES, { recursive: true });
  for (const [suffix, viewport] of [
    ["", WIDE],
    ["-390", NARROW],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      await page.screenshot({ path: join(env.RIGMARK_PICTURES, `${name}-${theme}${suffix}.png`), fullPage });
    }
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
}
