import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { axeProblems } from "../src/axe";
import { launch, NARROW, stranger, WIDE } from "../src/browser";
import { signUp, somebody } from "../src/people";
import { picture } from "../src/picture";

/** Somebody is invited by a link, makes an account with it, and may no more than their role says. */
describe("members", () => {
  const url = inject("url");
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it("are invited, get another role, and are removed", async () => {
    const ada = await stranger(browser);
    const workspace = await signUp(ada.page, url, somebody());
    await ada.page.goto(`${url}/w/${workspace}/members`);
    await ada.page.getByRole("button", { name: "Invite" }).click();
    await ada.page.getByRole("button", { name: "Create link" }).click();
    const dialog = ada.page.getByRole("dialog");
    await dialog.getByText("works once").waitFor();
    const link = /https?:\S+\/join\?token=rgmi_[\w-]{43}/.exec((await dialog.textContent()) ?? "")?.[0] ?? "";
    await ada.page.getByRole("button", { name: "I have copied it" }).click();

    const bob = await stranger(browser);
    const person = somebody("Bob Benchmark");
    await bob.page.goto(`${url}${new URL(link).pathname}${new URL(link).search}`);
    await bob.page.getByRole("heading", { name: /^Join/ }).waitFor();
    await bob.page.getByLabel("Name", { exact: true }).fill(person.name);
    await bob.page.getByLabel("Email").fill(person.email);
    await bob.page.getByLabel("Password", { exact: true }).fill(person.password);
    await bob.page.getByRole("button", { name: "Create account" }).click();
    await bob.page.waitForURL(`${url}/w/${workspace}`);

    await ada.page.reload();
    const row = ada.page.getByRole("listitem").filter({ hasText: person.email });
    const role = row.getByRole("combobox", { name: "Role of Bob Benchmark" });
    const give = row.getByRole("button", { name: "Change role of Bob Benchmark" });
    await role.selectOption("admin");
    await give.click();
    const ways = async () => {
      await bob.page.goto(`${url}/w/${workspace}/hosts`);
      await bob.page.getByRole("heading", { name: "Hosts", exact: true }).waitFor();
      return bob.page.getByRole("link", { name: "Add a host" }).count();
    };
    await expect.poll(ways).toBe(1);
    await give.waitFor({ state: "detached" });
    // Only the button gives it, and the focus stays in the row.
    await role.selectOption("viewer");
    expect(await ways()).toBe(1);
    await give.click();
    await expect.poll(ways).toBe(0);
    await give.waitFor({ state: "detached" });
    expect(await role.evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await bob.context.request.get(`${url}/w/${workspace}/log`)).status()).toBe(404);
    for (const viewport of [WIDE, NARROW]) {
      await ada.page.setViewportSize(viewport);
      const over = await ada.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect([over, await axeProblems(ada.page)], `${viewport.width}`).toEqual([0, []]);
    }
    await picture(ada.page, "members");

    await row.getByRole("button", { name: "Remove Bob Benchmark", exact: true }).click();
    const asked = ada.page.getByRole("alertdialog", { name: "Remove this member? Bob Benchmark" });
    await asked.getByRole("button", { name: "Remove" }).click();
    // What lies behind an open dialog has no role: the row would seem to be gone before it is.
    await asked.waitFor({ state: "detached" });
    await row.waitFor({ state: "detached" });
    await ada.page.goto(`${url}/w/${workspace}/log`);
    await ada.page.getByText("removed the member").waitFor();
    expect((await bob.page.goto(`${url}/w/${workspace}/runs`))?.status()).toBe(404);
    const nowhere = `${url}/w/${workspace}/runs/01920000-0000-7000-8000-000000000000`;
    expect((await ada.context.request.get(nowhere)).status()).toBe(404);
    expect(ada.errors).toEqual([]);
    await ada.context.close();
    await bob.context.close();
  });
});
