import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Agent } from "../src/agent";
import { launch, stranger } from "../src/browser";
import { env, root } from "../src/env";
import { type Person, signUp, somebody } from "../src/people";
import { picture } from "../src/picture";
import { endAtFirstFailure } from "../src/steps";

const folder = join(root, "packages/scenarios/suites");
const every = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));
const wanted = env.RIGMARK_SUITES === "all" ? every : env.RIGMARK_SUITES.split(",");
const minutes = env.RIGMARK_SUITE_MINUTES;

/** Cells of the page's tables that have neither a figure nor a reason. */
const hollow = (page: Page) =>
  page.locator("table tbody td").evaluateAll((cells) =>
    cells.flatMap((cell) => {
      const text = (cell.textContent ?? "").trim();
      const note = cell.querySelector(".note-line");
      return (text === "–" || text === "") && !note && cell.closest("[data-overview]")
        ? [cell.closest("tr")?.textContent ?? ""]
        : [];
    }),
  );

/** A published report, repeated with one click. */
describe.each(wanted)("the suite %s", (suite) => {
  endAtFirstFailure();
  const url = inject("url");
  const agent = new Agent(inject("dir"), `suite-${suite}`);
  const ada: Person = somebody();
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];
  let workspace: string;

  beforeAll(async () => {
    browser = await launch();
    ({ context, page, errors } = await stranger(browser));
    workspace = await signUp(page, url, ada);
    await page.goto(`${url}/w/${workspace}/hosts/new`);
    await page.getByLabel("Name").fill("lab-2");
    await page.getByRole("button", { name: "Show the command" }).click();
    await page.getByText("Waiting for your host…").waitFor();
    const key = /rgme_[A-Za-z0-9_-]{43}/.exec((await page.locator("main").textContent()) ?? "")?.[0] ?? "";
    const enrolled = await agent.run(["enroll", "--url", url, "--key", key, "--json"]);
    expect(enrolled.code, enrolled.stderr).toBe(0);
    agent.start();
    await page
      .getByText(/online/i)
      .first()
      .waitFor();
  });
  afterAll(async () => {
    await agent.stop();
    await context.close();
    await browser.close();
  });

  it("is chosen with one click and queued", async () => {
    await page.goto(`${url}/w/${workspace}/runs/new`);
    const { title } = (await import(join(folder, `${suite}.json`), { with: { type: "json" } })).default as {
      title: string;
    };
    await page.getByRole("button", { name: `Choose ${title}`, exact: true }).click();
    await picture(page, `suite-${suite}-chosen`, true);
    await page.getByRole("button", { name: `Quick look at ${title}`, exact: true }).click();
    await expect.poll(() => page.getByLabel("Repeats").inputValue()).toBe("5");
    // Nothing below needs a verdict, and a picture should have one.
    if (!env.RIGMARK_PICTURES) await page.getByLabel("Repeats").fill("2");
    await page.getByRole("button", { name: "Queue run" }).click();
    await page.waitForURL(/runs\/[0-9a-f-]{36}/);
  });

  it(
    "runs to its end, and every cell of its overview has a figure or a reason",
    async () => {
      await page.getByRole("button", { name: "Share", exact: true }).waitFor({ timeout: minutes * 60_000 });
      await page.getByText("succeeded", { exact: true }).first().waitFor();
      await page
        .getByRole("heading", { name: /^(Overview|Results)$/ })
        .first()
        .waitFor();
      expect(await hollow(page)).toEqual([]);
      await picture(page, `suite-${suite}-run`, true);
    },
    minutes * 60_000 + 300_000,
  );

  it("is shared: a stranger sees the same overview", async () => {
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("button", { name: "Create report" }).click();
    const link = page.getByRole("link", { name: /\/r\// }).first();
    await link.waitFor();
    const guest = await stranger(browser);
    await guest.page.goto(new URL((await link.getAttribute("href")) ?? "", url).href);
    expect(await hollow(guest.page)).toEqual([]);
    await picture(guest.page, `suite-${suite}-report`, true);
    expect(guest.errors).toEqual([]);
    await guest.context.close();
  });

  it("leaves its best results on the pages of its servers", async () => {
    await page.goto(`${url}/w/${workspace}/servers`);
    await page.getByRole("heading", { name: "Servers", exact: true }).waitFor();
    await picture(page, `suite-${suite}-servers`, true);
    const { entries } = (await import(join(folder, `${suite}.json`), { with: { type: "json" } })).default as {
      entries: { server: string }[];
    };
    await page.goto(`${url}/w/${workspace}/servers/${entries[0]?.server}`);
    await page.getByRole("heading", { name: "Best verified results" }).waitFor();
    await page.locator("table tbody tr").first().waitFor();
    await picture(page, `suite-${suite}-server`, true);
    expect(errors).toEqual([]);
  });
});
