import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { NARROW, type Theme, WIDE, WIDTHS } from "./browser";
import { env } from "./env";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe objects to on the page as it stands: the rule, and the first element that breaks it. */
async function axeProblems(page: Page): Promise<string[]> {
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

/** How a page is looked at. */
interface Look {
  viewport: { width: number; height: number };
  theme: Theme;
}
const EVERY_LOOK: Look[] = WIDTHS.flatMap((viewport) => [
  { viewport, theme: "light" },
  { viewport, theme: "dark" },
]);
/** Each theme once, wide and narrow; all six where they are asked for, which takes some minutes. */
const LOOKS: Look[] = env.RIGMARK_EVERY_LOOK
  ? EVERY_LOOK
  : [
      { viewport: WIDE, theme: "light" },
      { viewport: NARROW, theme: "dark" },
    ];

/** What does not fit on the page as it stands, and what axe objects to. */
async function problemsAt(page: Page, { viewport, theme }: Look): Promise<string[]> {
  await page.setViewportSize(viewport);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  const problems = await axeProblems(page);
  if (over > 0) problems.unshift(`${over} px too wide`);
  return problems.map((problem) => `${viewport.width}, ${theme}: ${problem}`);
}

/** The same at each look, with what is open on the page. Ends as a page begins. */
export async function lookProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (const look of LOOKS) {
    await page.emulateMedia({ colorScheme: look.theme });
    await page.locator(`html[data-theme="${look.theme}"]`).waitFor({ state: "attached" });
    problems.push(...(await problemsAt(page, look)));
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
  return problems;
}
