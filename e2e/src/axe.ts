import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe objects to on the page as it stands: the rule, and the first element that breaks it. */
export async function axeProblems(page: Page): Promise<string[]> {
  await page.evaluate(source);
  return page.evaluate(async () => {
    const axe = (
      globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; help: string; nodes: { html: string }[] }[] }> };
      }
    ).axe;
    const { violations } = await axe.run();
    return violations.map((v) => `${v.id}: ${v.help}: ${v.nodes[0]?.html ?? ""}`);
  });
}
