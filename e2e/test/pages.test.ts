import { globSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { Agent } from "../src/agent";
import { lookProblems } from "../src/axe";
import { launch, stranger } from "../src/browser";
import { cookiesOf, type Member, member } from "../src/client";
import { env, inherited, root } from "../src/env";
import { manyTrials } from "../src/many-trials";
import { finish } from "../src/process";

const APP = join(root, "apps/web/src/app");
const RECORDING = join(root, "e2e/fixtures/two-servers.jsonl");
/** No other journey publishes runs of these. */
const SEEDS = [7001, 7002];
const SCENARIO = "plaintext-loadgen";
const LONGEST_MS = 1_800_000;

/** Every page fits and satisfies axe, light and dark; those without a session in both languages. */
describe("every page", () => {
  const url = inject("url");
  const dir = join(inject("dir"), "pages");
  const agent = new Agent(dir, "host");
  let browser: Browser;
  let ada: Member;
  let runIds: string[];
  let hostId: string;
  let server: string;
  let slug: string;
  let invitation: string;

  const nobody = "A".repeat(22);
  const nowhere = "01920000-0000-7000-8000-000000000000";
  const at = (path: string) => `/w/${ada.workspace}${path}`;

  /** Addresses by page, for who is not signed in; also those of what is not there. */
  const STRANGERS: Record<string, () => string[]> = {
    "/": () => ["/", "/nothing"],
    "/explore": () => ["/explore", "/explore?q=nothing"],
    "/explore/[scenario]": () => [`/explore/${SCENARIO}`, "/explore/nothing"],
    "/explore/servers": () => ["/explore/servers"],
    "/r/[slug]": () => [`/r/${slug}`, `/r/${nobody}`],
    "/embed/r/[slug]": () => [`/embed/r/${slug}`, `/embed/r/${nobody}`],
    "/sign-in": () => ["/sign-in"],
    "/sign-up": () => ["/sign-up"],
    "/forgot-password": () => ["/forgot-password"],
    "/reset-password": () => ["/reset-password?token=wrong", "/reset-password"],
    "/join": () => [`/join?token=${invitation}`, "/join?token=wrong"],
    "/welcome": () => ["/welcome?token=wrong"],
  };
  /** For the owner of a workspace. What is open on a page, and what runs, is looked at by other journeys. */
  const MEMBERS: Record<string, () => string[]> = {
    "/account": () => ["/account"],
    "/account/tokens": () => ["/account/tokens"],
    "/device": () => ["/device"],
    "/w/[workspace]": () => [at("")],
    "/w/[workspace]/alerts": () => [at("/alerts")],
    "/w/[workspace]/compare": () => [at(`/compare?runs=${runIds.join(",")}`), at("/compare")],
    "/w/[workspace]/history": () => [at("/history"), at("/history?q=nothing")],
    "/w/[workspace]/hosts": () => [at("/hosts")],
    "/w/[workspace]/hosts/[id]": () => [at(`/hosts/${hostId}`), at(`/hosts/${nowhere}`)],
    "/w/[workspace]/hosts/new": () => [at("/hosts/new")],
    "/w/[workspace]/log": () => [at("/log")],
    "/w/[workspace]/members": () => [at("/members")],
    "/w/[workspace]/reports": () => [at("/reports")],
    "/w/[workspace]/runs": () => [at("/runs"), at("/runs?q=nothing")],
    "/w/[workspace]/runs/[id]": () => [at(`/runs/${runIds[0]}`), at(`/runs/${nowhere}`)],
    "/w/[workspace]/runs/new": () => [at("/runs/new")],
    "/w/[workspace]/schedules": () => [at("/schedules")],
    "/w/[workspace]/servers": () => [at("/servers")],
    "/w/[workspace]/servers/[name]": () => [at(`/servers/${server}`)],
    "/w/[workspace]/settings": () => [at("/settings")],
    "/w/[workspace]/tokens": () => [at("/tokens")],
  };
  /** The docs have a journey of their own, and the last one leads elsewhere at once. */
  const ELSEWHERE = ["/docs", "/docs/[name]", "/docs/api", "/docs/search", "/r/[slug]/repeat"];

  const publish = async (seed: number, token: string): Promise<string> => {
    const { runId, text } = manyTrials(readFileSync(RECORDING, "utf8"), seed, 4, 5);
    const file = join(dir, `${seed}.jsonl`);
    writeFileSync(file, text);
    const args = ["publish", file, "--workspace", ada.workspace, "--json"];
    const { code, stderr } = await finish(env.RIGMARK_AGENT, args, {
      env: {
        ...inherited,
        XDG_CONFIG_HOME: join(dir, "config"),
        RIGMARK_STATE: join(dir, "client"),
        RIGMARK_URL: url,
        RIGMARK_TOKEN: token,
      },
    });
    expect(code, stderr).toBe(0);
    return runId;
  };

  beforeAll(async () => {
    await mkdir(dir, { recursive: true });
    browser = await launch();
    ada = await member(url);
    const { trpc, workspace } = ada;
    const { key } = await trpc.host.createEnrollment.mutate({ workspace, name: "lab" });
    const enrolled = await agent.run(["enroll", "--url", url, "--key", key, "--json"]);
    expect(enrolled.code, enrolled.stderr).toBe(0);
    hostId = (JSON.parse(enrolled.stdout) as { host_id: string }).host_id;
    agent.start();
    const scopes = ["publish" as const];
    const { token } = await trpc.token.create.mutate({ workspace: null, name: "pages", scopes, days: 30 });
    runIds = [];
    for (const seed of SEEDS) runIds.push(await publish(seed, token));
    const shared = { workspace, runIds, baseline: "nginx", visibility: "public" as const };
    slug = (await trpc.report.create.mutate(shared)).slug;
    const invited = await trpc.invitation.create.mutate({ workspace, role: "member", email: null });
    invitation = new URL(invited.url ?? "").searchParams.get("token") ?? "";
    // Until the host has said what it has, the app refuses to answer. `expect.poll` is for tests only.
    server = await vi.waitFor(
      async () => {
        const [first] = (await trpc.run.options.query({ workspace, hostId })).servers;
        if (!first) throw new Error("the host has no servers yet");
        return first.name;
      },
      { timeout: 120_000, interval: 500 },
    );
  });
  afterAll(async () => {
    await agent.stop();
    await browser?.close();
  });

  const problemsOf = async (page: Page, of: Record<string, () => string[]>): Promise<string[]> => {
    const problems: string[] = [];
    for (const path of Object.values(of).flatMap((paths) => paths())) {
      await page.goto(`${url}${path}`, { waitUntil: "load" });
      // What is streamed is there before it is shown.
      await page.locator("h1:visible").first().waitFor();
      problems.push(...(await lookProblems(page)).map((problem) => `${path}, ${problem}`));
    }
    return problems;
  };
  /** A browser says so of every page that is not there. */
  const unexpected = (errors: readonly string[]) => errors.filter((text) => !text.includes("status of 404"));

  it("is in one of the tables", () => {
    const pages = globSync("**/page.tsx", { cwd: APP }).map((file) =>
      `/${file.replace(/\/?page\.tsx$/, "")}`.replace(/\/\([^/]+\)/g, ""),
    );
    const known = [...Object.keys(STRANGERS), ...Object.keys(MEMBERS), ...ELSEWHERE];
    expect(known.sort()).toEqual(pages.sort());
  });

  it.each([
    ["English", "en-US", "en"],
    ["Chinese", "zh-CN", "zh"],
  ] as const)(
    "in %s, for who is not signed in",
    async (_, locale, language) => {
      const { context, page, errors } = await stranger(browser, { locale });
      await page.goto(url);
      expect(await page.locator("html").getAttribute("lang")).toMatch(new RegExp(`^${language}`));
      expect(await problemsOf(page, STRANGERS)).toEqual([]);
      expect(unexpected(errors)).toEqual([]);
      await context.close();
    },
    LONGEST_MS,
  );

  it(
    "for who is signed in",
    async () => {
      const { context, page, errors } = await stranger(browser);
      await context.addCookies(cookiesOf(ada, url));
      expect(await problemsOf(page, MEMBERS)).toEqual([]);
      expect(unexpected(errors)).toEqual([]);
      await context.close();
    },
    LONGEST_MS,
  );
});
