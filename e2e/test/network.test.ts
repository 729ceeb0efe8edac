import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@rigmark/db/embedded";
import { createTestDatabase, startCluster } from "@rigmark/db/testing";
import { filesOf, ownAddresses } from "@rigmark/domain/launcher";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookProblems } from "../src/axe";
import { launch, stranger } from "../src/browser";
import { inherited, root } from "../src/env";
import { somebody } from "../src/people";
import { picture } from "../src/picture";
import { type Running, run } from "../src/process";
import { endAtFirstFailure } from "../src/steps";

const own = await ownAddresses();
const FIRST = "aarch64-unknown-linux-musl";

/** From the button to the app on the network and back, with the launcher's own code; nothing is built. */
describe.skipIf(own.length === 0)(
  "reach the app from the network, and from its own machine only again",
  () => {
    endAtFirstFailure();
    let dir: string;
    let state: string;
    const address = own[0]?.address ?? "";
    let port: number;
    let url: string;
    let cluster: Awaited<ReturnType<typeof startCluster>>;
    let launcher: Running;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;

    beforeAll(async () => {
      dir = mkdtempSync(join(tmpdir(), "rigmark-e2e-network-"));
      state = join(dir, "state");
      mkdirSync(state);
      cluster = await startCluster();
      port = await freePort();
      url = `http://127.0.0.1:${port}`;
      launcher = run(
        process.execPath,
        ["--import", "tsx", join(root, "e2e/src/launcher.ts"), state, String(port)],
        {
          cwd: join(root, "e2e"),
          log: join(dir, "launcher.log"),
          env: {
            ...inherited,
            DATABASE_URL: await createTestDatabase(cluster.url),
            PUBLIC_URL: "",
            // Whoever measures on this host is not to hold the build.
            RIGMARK_LOCK: join(dir, "rigmark.lock"),
          },
        },
      );
      const welcome = (await launcher.line(/^sign in: /)).slice("sign in: ".length);
      await launcher.line(/^supervised/);
      browser = await launch();
      ({ context, page } = await stranger(browser));
      const ada = somebody();
      await page.goto(welcome);
      await page.getByLabel("Name", { exact: true }).fill(ada.name);
      await page.getByLabel("Email").fill(ada.email);
      await page.getByLabel("Password", { exact: true }).fill(ada.password);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.waitForURL(/\/w\/home\//);
    });
    afterAll(async () => {
      await browser?.close();
      await launcher?.stop();
      await cluster?.stop();
      rmSync(dir, { recursive: true, force: true });
    });

    const looksRight = async (name: string) => {
      expect(await lookProblems(page), name).toEqual([]);
      await picture(page, name);
    };
    const healthy = (at: string) =>
      fetch(`${at}/api/health`).then(
        (response) => response.ok,
        () => false,
      );
    /** What a page elsewhere, or a proxy on this machine, would send for the signed-in owner. */
    const close = async (at: string, headers: Record<string, string> = {}) => {
      const cookie = (await context.cookies(url)).map(({ name, value }) => `${name}=${value}`).join("; ");
      const response = await fetch(`${at}/api/trpc/network.close`, {
        method: "POST",
        headers: { "content-type": "application/json", cookie, origin: at, ...headers },
        body: JSON.stringify({ json: { workspace: "home" } }),
      });
      return response.status;
    };

    it("says first what will happen, then the app is on the network and the command has the address", async () => {
      await page.goto(`${url}/w/home/hosts/new`);
      expect(await healthy(`http://${address}:${port}`)).toBe(false);
      await looksRight("network-closed");
      await page.getByRole("button", { name: "Let other machines reach the app" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("Who can sign up does not change").waitFor();
      expect(await dialog.getByRole("radio", { name: address }).isChecked()).toBe(true);
      await looksRight("network-dialog");
      expect(await healthy(`http://${address}:${port}`)).toBe(false);
      await dialog.getByRole("button", { name: "Listen on the network" }).click();
      await page.getByText(`http://${address}:${port}`).waitFor();
      expect(await healthy(`http://${address}:${port}`)).toBe(true);
      await page.getByRole("button", { name: "Show the command" }).click();
      const command = page.locator("pre").first();
      await command.waitFor();
      expect(await command.textContent()).toContain(`http://${address}:${port}/install.sh`);
      expect(await command.textContent()).toContain("--allow-http");
    });

    it("shows which agent is built and which is ready", async () => {
      const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
      await row("Raspberry Pi 3 or newer")
        .getByText(/being built, \d+ (s|min) so far/)
        .waitFor();
      await row("Mac with Intel").getByText("waiting for its turn").waitFor();
      await looksRight("network-building");
      writeFileSync(join(dir, "rigmark.lock"), `${process.pid}\n`);
      await row("Raspberry Pi 3 or newer").getByText("paused while this machine measures").waitFor();
      rmSync(join(dir, "rigmark.lock"));
      writeFileSync(join(state, `built-${FIRST}`), "");
      await row("Raspberry Pi 3 or newer")
        .getByText(/ready, built in \d+ (s|min)/)
        .waitFor();
      await row("x86-64")
        .getByText(/being built/)
        .waitFor();
    });

    it("is changed at the machine itself, by nobody from elsewhere", async () => {
      expect(await close(`http://${address}:${port}`)).toBe(403);
      expect(await close(url, { "x-forwarded-for": "192.0.2.7" })).toBe(403);
      expect(statSync(filesOf(state).note).mode & 0o777).toBe(0o600);
    });

    it("listens on its own machine only again", async () => {
      await page.getByRole("button", { name: "Listen on this machine only" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "This machine only" }).click();
      await page.getByRole("button", { name: "Let other machines reach the app" }).waitFor();
      expect(await healthy(`http://${address}:${port}`)).toBe(false);
      expect(await healthy(url)).toBe(true);
    });
  },
);
