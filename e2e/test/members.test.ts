import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Agent } from "../src/agent";
import { lookProblems } from "../src/axe";
import { launch, stranger } from "../src/browser";
import { cookiesOf, member } from "../src/client";
import { type Person, signUp, somebody } from "../src/people";
import { picture } from "../src/picture";

/** So long a run may take until its load begins: builds and checks are slow on a busy host. */
const BEGIN_MS = 540_000;
/** Within seconds, with the time that a busy host takes. */
const SOON_MS = 30_000;

/** Somebody is invited by a link, makes an account with it, and may no more than their role says. */
describe("members", () => {
  const url = inject("url");
  const agent = new Agent(join(inject("dir"), "members"), "shared");
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await agent.stop();
    await browser?.close();
  });

  /** Follows the link of an invitation and makes an account with it; ends in the workspace. */
  const accept = async (page: Page, link: string, person: Person, workspace: string) => {
    await page.goto(`${url}${new URL(link).pathname}${new URL(link).search}`);
    await page.getByRole("heading", { name: /^Join/ }).waitFor();
    await page.getByLabel("Name", { exact: true }).fill(person.name);
    await page.getByLabel("Email").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.waitForURL(`${url}/w/${workspace}`);
  };
  /** The first live chart of the run page gets points without a reload. */
  const grows = async (page: Page) => {
    const chart = page.getByRole("region", { name: "Live charts" });
    await chart.waitFor({ timeout: BEGIN_MS });
    const figure = chart.getByRole("figure").first();
    await figure.getByRole("button", { name: "Table" }).click();
    const rows = figure.locator("tbody tr");
    await expect.poll(() => rows.count()).toBeGreaterThan(0);
    const before = await rows.count();
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
  };

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
    await accept(bob.page, link, person, workspace);

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
    expect(await lookProblems(ada.page)).toEqual([]);
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

  it(
    "queue a run and watch it together, until one of them is demoted, removed, and deletes their account",
    async () => {
      const owner = await member(url);
      const { workspace, trpc } = owner;
      const { key } = await trpc.host.createEnrollment.mutate({ workspace, name: "shared" });
      const enrolled = await agent.run(["enroll", "--url", url, "--key", key, "--json"]);
      expect(enrolled.code, enrolled.stderr).toBe(0);
      const { host_id: hostId } = JSON.parse(enrolled.stdout) as { host_id: string };
      agent.start();
      const servers = async () => (await trpc.run.options.query({ workspace, hostId })).servers.length;
      await expect.poll(servers, { interval: 500 }).toBeGreaterThan(0);
      const ada = await stranger(browser);
      await ada.context.addCookies(cookiesOf(owner, url));
      const { url: link } = await trpc.invitation.create.mutate({ workspace, role: "member", email: null });
      const bob = await stranger(browser);
      const person = somebody("Bob Benchmark");
      await accept(bob.page, link ?? "", person, workspace);

      await bob.page.goto(`${url}/w/${workspace}/runs/new`);
      await bob.page.getByRole("checkbox", { name: "epoll", exact: true }).check();
      await bob.page.getByRole("checkbox", { name: "1 KB file, autocannon, 32 connections" }).check();
      await bob.page.getByLabel("Name", { exact: true }).fill("Watched by two");
      await bob.page.getByLabel("Duration", { exact: true }).fill("900");
      await bob.page.getByRole("button", { name: "Queue run" }).click();
      await bob.page.waitForURL(/runs\/[0-9a-f-]{36}/);
      const runId = new URL(bob.page.url()).pathname.split("/").at(-1) ?? "";
      await ada.page.goto(`${url}/w/${workspace}/runs/${runId}`);
      await Promise.all([grows(ada.page), grows(bob.page)]);
      expect(await lookProblems(ada.page)).toEqual([]);

      const { members } = await trpc.member.list.query({ workspace });
      const userId = members.find(({ email }) => email === person.email)?.user_id ?? "";
      await trpc.member.changeRole.mutate({ workspace, userId, role: "viewer" });
      const cancels = ({ page }: { page: Page }) => page.getByRole("button", { name: "Cancel run" }).count();
      await bob.page.reload();
      await grows(bob.page);
      expect([await cancels(ada), await cancels(bob)]).toEqual([1, 0]);

      await trpc.member.remove.mutate({ workspace, userId });
      await bob.page.getByText("What you see is no longer updated.").waitFor({ timeout: SOON_MS });
      expect((await bob.page.goto(`${url}/w/${workspace}/runs/${runId}`))?.status()).toBe(404);
      await ada.page.reload();
      await grows(ada.page);
      await trpc.run.cancel.mutate({ workspace, runId });
      await ada.page.getByText("cancelled", { exact: true }).first().waitFor();

      await bob.page.goto(`${url}/account`);
      await bob.page.getByRole("button", { name: "Delete account" }).click();
      const dialog = bob.page.getByRole("dialog");
      await dialog.getByLabel("Email address of your account").fill(person.email);
      await dialog.getByRole("button", { name: "Delete account" }).click();
      await bob.page.waitForURL(`${url}/`);
      const again = await fetch(`${url}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: url },
        body: JSON.stringify({ email: person.email, password: person.password }),
      });
      expect(again.status).toBe(401);
      expect(ada.errors).toEqual([]);
      await ada.context.close();
      await bob.context.close();
    },
    2 * BEGIN_MS,
  );
});
