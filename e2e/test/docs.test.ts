import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { lookProblems } from "../src/axe";
import { launch, stranger } from "../src/browser";
import { env } from "../src/env";
import { picture } from "../src/picture";

/** The docs are public pages: nobody here is signed in. */
describe("the docs", () => {
  const url = inject("url");
  let browser: Browser;
  let paths: string[];
  beforeAll(async () => {
    browser = await launch();
    const { context, page } = await stranger(browser);
    await page.goto(url);
    await page.getByRole("link", { name: "Read the docs" }).click();
    await page.waitForURL(`${url}/docs`);
    const hrefs = await page
      .locator("main section a")
      .evaluateAll((as) => as.map((a) => a.getAttribute("href")));
    paths = hrefs.filter((href): href is string => href !== null);
    await context.close();
  });
  afterAll(() => browser.close());

  it.each([
    ["in English: every page", "en-US"],
    ["in Chinese: what stands around them", "zh-CN"],
  ] as const)("%s has its heading, fits, and satisfies axe, light and dark", async (_, locale) => {
    const { context, page, errors } = await stranger(browser, { locale });
    const problems: string[] = [];
    expect(paths.length).toBeGreaterThan(10);
    // Their texts are English in both.
    const looked = locale === "en-US" || env.RIGMARK_EVERY_LOOK ? paths : paths.slice(0, 1);
    for (const path of ["/docs", "/docs/search?q=bottleneck", ...looked]) {
      await page.goto(`${url}${path}`, { waitUntil: "load" });
      const headings = await page.getByRole("heading", { level: 1 }).count();
      if (headings !== 1) problems.push(`${path}: ${headings} main headings`);
      problems.push(...(await lookProblems(page)).map((problem) => `${path}, ${problem}`));
    }
    expect(problems).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("are found by typing: / goes to the field, arrows to a result, and its heading is the place", async () => {
    const { context, page, errors } = await stranger(browser);
    await page.goto(`${url}/docs/method`, { waitUntil: "networkidle" });
    // Until the page has its scripts, a key does nothing.
    const field = page.getByRole("searchbox");
    const focused = () => field.evaluate((element) => element === document.activeElement);
    await expect
      .poll(async () => {
        if (!(await focused())) await page.keyboard.press("/");
        return focused();
      })
      .toBe(true);
    await page.keyboard.type("coordinated omission");
    // What was found for the first letters may come before.
    const first = page.locator("search a").first();
    await expect.poll(() => first.textContent()).toContain("Coordinated omission");
    await picture(page, "docs-search");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${url}/docs/glossary#coordinated-omission`);
    expect(errors).toEqual([]);
    await context.close();
  });

  it("close what was found once the focus leaves, and leave / alone where single keys are switched off", async () => {
    const { context, page } = await stranger(browser);
    await page.goto(`${url}/docs/method`, { waitUntil: "networkidle" });
    const field = page.getByRole("searchbox");
    const found = page.locator("search a");
    const search = async () => {
      if ((await found.count()) === 0) {
        await field.fill("");
        await field.fill("steal");
      }
      return found.count();
    };
    await expect.poll(search, { interval: 500 }).toBeGreaterThan(0);
    await page.keyboard.press("Shift+Tab");
    await expect.poll(() => found.count()).toBe(0);
    await page.evaluate(() => localStorage.setItem("list-keys", "off"));
    await page.keyboard.press("/");
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(false);
    await context.close();
  });

  it("are read and searched without scripts", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${url}/docs/glossary#steal`);
    expect(await page.locator("#steal").textContent()).toContain("hypervisor");
    await page.getByRole("searchbox").fill("steal");
    await page.getByRole("searchbox").press("Enter");
    await page.waitForURL(/\/docs\/search\?q=steal/);
    expect(await page.locator("main a[href='/docs/glossary#steal']").count()).toBe(1);
    await context.close();
  });

  it("have no page of an unknown name", async () => {
    expect((await fetch(`${url}/docs/nothing`)).status).toBe(404);
  });
});
