import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { lookProblems } from "../src/axe";
import { launch, stranger } from "../src/browser";
import { cookiesOf, type Member, member } from "../src/client";
import { picture } from "../src/picture";

/** A token is made, used, seen and revoked; a program is signed in from its terminal. */
describe("tokens", () => {
  const url = inject("url");
  let browser: Browser;
  let ada: Member;
  let page: Page;
  let context: BrowserContext;
  let errors: string[];

  beforeAll(async () => {
    browser = await launch();
    ada = await member(url);
    ({ page, context, errors } = await stranger(browser));
    await context.addCookies(cookiesOf(ada, url));
  });
  afterAll(async () => {
    await context?.close();
    await browser?.close();
  });

  const api = (path: string, init: RequestInit = {}) => fetch(`${url}/api/v1${path}`, init);
  const me = async (token: string) => {
    const response = await api("/me", { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, body: await response.json() };
  };
  /** Fits, and satisfies axe, at each width in both themes. */
  const looksRight = async (name: string) => {
    expect(await lookProblems(page), name).toEqual([]);
    await picture(page, name);
  };

  it("are made with the keyboard, shown once, used and revoked", async () => {
    await page.goto(`${url}/w/${ada.workspace}/runs`);
    await page.getByRole("button", { name: /Account of/ }).click();
    await page.getByRole("menuitem", { name: "Your tokens" }).click();
    await page.waitForURL(`${url}/account/tokens`);
    await page.getByRole("heading", { name: "No tokens yet" }).waitFor();
    await looksRight("tokens-empty");

    await page.getByRole("button", { name: "New token" }).focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Name").fill("CI");
    await page.getByRole("checkbox", { name: /queue/ }).focus();
    await page.keyboard.press("Space");
    await looksRight("token-new");
    await page.getByLabel("Name").press("Enter");
    await page.getByRole("heading", { name: "Copy the token now" }).waitFor();
    await looksRight("token-made");
    const token =
      /rgm_[A-Za-z0-9_-]{43}/.exec((await page.getByRole("dialog").textContent()) ?? "")?.[0] ?? "";
    await page.getByRole("button", { name: "I have copied it" }).click();

    expect((await me(token)).body.token).toMatchObject({ name: "CI", scopes: ["read", "queue"] });
    await page.reload();
    const row = page.getByRole("listitem").filter({ hasText: "CI" });
    await row.getByText(/last used/).waitFor();
    expect(await row.textContent()).not.toContain(token);
    await looksRight("tokens");

    await row.getByRole("button", { name: "Revoke CI", exact: true }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await row.getByText(/revoked/).waitFor();
    expect((await me(token)).status).toBe(401);
  });

  it("of a workspace have a page there", async () => {
    await page.goto(`${url}/w/${ada.workspace}/tokens`);
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByLabel("Name").fill("Nightly");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("listitem").filter({ hasText: "Nightly" }).waitFor();
    await looksRight("workspace-tokens");
  });

  it("come to a program in a terminal by a code in the browser", async () => {
    const json = { "content-type": "application/json" };
    const started = await api("/device", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ client: "rigmark on attic" }),
    });
    const { device_code, verification_url } = await started.json();
    const collect = () =>
      api("/device/token", { method: "POST", headers: json, body: JSON.stringify({ device_code }) });
    expect((await collect()).status).toBe(202);
    await page.goto(`${url}/device`);
    await looksRight("device-code");
    await page.getByLabel("Code").focus();
    await page.keyboard.type(new URL(verification_url).searchParams.get("code") ?? "");
    await page.keyboard.press("Enter");
    await page.getByText("rigmark on attic").waitFor();
    await looksRight("device");
    for (let tabs = 0; tabs < 30; tabs += 1) {
      await page.keyboard.press("Tab");
      if ((await page.locator(":focus").textContent()) === "Approve") break;
    }
    await page.keyboard.press("Enter");
    await page.getByText(/^Approved/).waitFor();
    expect(await page.locator(":focus").textContent()).toMatch(/^Approved/);
    await looksRight("device-approved");
    const { token, person } = await (await collect()).json();
    expect(person.email).toBe(ada.person.email);
    expect((await me(token)).body.token.name).toBe("rigmark on attic");
    expect((await collect()).status).toBe(410);
    expect(errors).toEqual([]);
  });

  it("leave the person signed in, who is told when signing out does not work", async () => {
    await page.goto(`${url}/account/tokens`);
    await page.route("**/api/auth/sign-out", (route) => route.abort());
    await page.getByRole("button", { name: /Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    const dialog = page.getByRole("dialog", { name: "Signing out did not work" });
    await dialog.getByText("The app could not be reached.").waitFor();
    await page.unroute("**/api/auth/sign-out");
    await dialog.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(`${url}/sign-in`);
  });
});
