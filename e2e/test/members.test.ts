import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { axeProblems } from "../src/axe";
import { launch, NARROW, stranger, WIDE } from "../src/browser";
import { type Member, member } from "../src/client";
import { somebody } from "../src/people";
import { picture } from "../src/picture";

/** Two people in one workspace, in two browsers: invited, joined, demoted, removed. */
describe("members", () => {
  const url = inject("url");
  let browser: Browser;
  let ada: Member;
  let bob: Member;
  let ofAda: Page;
  let ofBob: Page;
  let errors: string[][];
  const contexts: BrowserContext[] = [];

  const open = async (who: Member) => {
    const { page, context, errors } = await stranger(browser);
    contexts.push(context);
    await context.addCookies(
      who.cookie.split("; ").map((pair) => {
        const [name = "", value = ""] = pair.split(/=(.*)/s);
        return { name, value, url };
      }),
    );
    return { page, errors };
  };
  /** Fits, and satisfies axe, in both widths and themes. */
  const looksRight = async (page: Page, name: string) => {
    const problems: string[] = [];
    for (const viewport of [WIDE, NARROW])
      for (const colorScheme of ["light", "dark"] as const) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) problems.push(`${viewport.width}, ${colorScheme}: ${over} px too wide`);
        problems.push(...(await axeProblems(page)).map((p) => `${viewport.width}, ${colorScheme}: ${p}`));
      }
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: "light" });
    expect(problems, name).toEqual([]);
    await picture(page, name);
  };

  beforeAll(async () => {
    browser = await launch();
    ada = await member(url);
    bob = await member(url, somebody("Bob Load"));
    const [first, second] = [await open(ada), await open(bob)];
    [ofAda, ofBob] = [first.page, second.page];
    errors = [first.errors, second.errors];
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await browser?.close();
  });

  it("are invited by a link that works once, get another role, and are removed", async () => {
    await ofAda.goto(`${url}/w/${ada.workspace}/members`);
    await looksRight(ofAda, "members");
    await ofAda.getByRole("button", { name: "Invite" }).click();
    await looksRight(ofAda, "member-invite");
    await ofAda.getByRole("button", { name: "Create link" }).click();
    const dialog = ofAda.getByRole("dialog");
    await dialog.getByRole("heading", { name: "Invited" }).waitFor();
    const link = /\S+\/join\?token=[\w-]+/.exec((await dialog.textContent()) ?? "")?.[0] ?? "";
    const join = link.slice(link.indexOf("/join"));
    await dialog.getByRole("button", { name: "I have copied it" }).click();

    await ofBob.goto(`${url}${join}`);
    await looksRight(ofBob, "join");
    await ofBob.getByRole("button", { name: "Join the workspace" }).click();
    await ofBob.waitForURL(`${url}/w/${ada.workspace}/runs`);
    // Members may queue; there is nothing yet to queue on.
    const newRun = ofBob.getByRole("link", { name: "New run" });
    await newRun.first().waitFor();

    const carol = await open(await member(url, somebody("Carol")));
    await carol.page.goto(`${url}${join}`);
    await carol.page.getByRole("heading", { name: "This invitation does not work" }).waitFor();

    await ofAda.reload();
    await ofAda.getByText("accepted by Bob Load").waitFor();
    await ofAda.getByLabel("Role of Bob Load").selectOption("viewer");
    await expect
      .poll(async () => {
        await ofBob.reload();
        return newRun.count();
      })
      .toBe(0);

    const row = ofAda.getByRole("listitem").filter({ hasText: "Bob Load" }).first();
    await row.getByRole("button", { name: "Remove" }).click();
    await ofAda.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await ofAda.getByLabel("Role of Bob Load").waitFor({ state: "detached" });
    const response = await ofBob.goto(`${url}/w/${ada.workspace}/runs`);
    expect(response?.status()).toBe(404);
    expect(errors.flat().filter((line) => !line.includes("404"))).toEqual([]);
  });

  it("cannot leave a workspace without an owner", async () => {
    await ofAda.goto(`${url}/w/${ada.workspace}/members`);
    await ofAda.getByRole("button", { name: "Leave" }).click();
    const dialog = ofAda.getByRole("alertdialog");
    await dialog.getByRole("button", { name: "Leave" }).click();
    await dialog.getByText("A workspace needs an owner").waitFor();
  });
});
