import { PlanTrial } from "@rigmark/protocol";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Agent } from "../src/agent";
import { lookProblems } from "../src/axe";
import { launch, stranger } from "../src/browser";
import { env } from "../src/env";
import { type Person, signUp, somebody } from "../src/people";
import { picture } from "../src/picture";
import { finish } from "../src/process";
import { endAtFirstFailure } from "../src/steps";

/** As much of a report's JSON as is compared here. */
interface Snapshot {
  runs: {
    repeat_command: string;
    trials: PlanTrial[];
    summary: { scenarios: { entries: Entry[] }[] };
  }[];
}
interface Entry {
  requests_per_s: { median: number } | null;
}

/** What each place says of an entry: its rate; nothing where the host spoiled every trial of it, which no test can forbid. */
const figures = (entries: Entry[]): string[] =>
  entries.flatMap(({ requests_per_s }) =>
    requests_per_s ? [Math.round(requests_per_s.median).toLocaleString("en-US")] : [],
  );

/** So long a run may take from the queue to its end: builds and checks are slow on a busy host. */
const RUN_MS = 540_000;

/** The report in the docs has a verdict; what is looked at here does not need one. */
const repeats = env.RIGMARK_PICTURES ? "5" : "2";

/** The main job, as a person does it. The steps build on each other: the first that fails ends the file. */
describe("sign up, add a host, queue, watch, share, revoke", () => {
  endAtFirstFailure();
  const url = inject("url");
  const agent = new Agent(inject("dir"), "journey");
  const ada: Person = somebody();
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let errors: string[];
  let workspace: string;
  let slug: string;

  beforeAll(async () => {
    browser = await launch();
    ({ context, page, errors } = await stranger(browser));
  });
  afterAll(async () => {
    await agent.stop();
    await browser.close();
  });

  it("signs up and is told what to do next", async () => {
    workspace = await signUp(page, url, ada);
    await page
      .getByRole("link", { name: /add a host/i })
      .first()
      .click();
    await page.waitForURL(/hosts\/new/);
  });

  it("shows the command, waits, and turns green when the agent arrives", async () => {
    await page.getByLabel("Name").fill("lab-1");
    await page.getByRole("button", { name: "Show the command" }).click();
    await page.getByText("Waiting for your host…").waitFor();
    const text = (await page.locator("main").textContent()) ?? "";
    const key = /rgme_[A-Za-z0-9_-]{43}/.exec(text)?.[0];
    expect(key).toBeDefined();
    const enrolled = await agent.run(["enroll", "--url", url, "--key", key ?? "", "--json"]);
    expect(enrolled.stderr + enrolled.stdout).not.toContain("error");
    expect(enrolled.code).toBe(0);
    agent.start();
    await page.getByRole("heading", { name: /lab-1 is enrolled/ }).waitFor();
    await page
      .getByText(/online/i)
      .first()
      .waitFor();

    const again = await agent.run(["enroll", "--url", url, "--key", key ?? "", "--json"]);
    expect(again.code).toBe(1);
  });

  it("queues a comparison, with the planned duration in sight", async () => {
    await page.getByRole("link", { name: "New run" }).first().click();
    await page.waitForURL(/runs\/new/);
    for (const server of ["epoll", "io-uring", "nginx"])
      await page.getByRole("checkbox", { name: server, exact: true }).check();
    await page.getByRole("checkbox", { name: "1 KB file, autocannon, 32 connections" }).check();
    await page.getByLabel("Name", { exact: true }).fill("Three ways to send 1 KB");
    await page.getByLabel("Repeats").fill("2");
    await page.getByText("no verdict").first().waitFor();
    await page.getByLabel("Repeats").fill("5");
    await page.getByText("no verdict").first().waitFor({ state: "detached" });
    await page.getByLabel("Repeats").fill(repeats);
    await page.getByLabel("Duration", { exact: true }).fill("2");
    await page.getByLabel("Warm-up").fill("0.5");
    await page.getByRole("button", { name: "Queue run" }).click();
    await page.waitForURL(/runs\/[0-9a-f-]{36}/);
  });

  it("shows the run live: the lines grow without a reload", async () => {
    const chart = page.getByRole("region", { name: "Live charts" });
    await chart.waitFor({ timeout: RUN_MS });
    const figure = chart.getByRole("figure").first();
    await figure.getByRole("button", { name: "Table" }).click();
    const rows = figure.locator("tbody tr");
    await expect.poll(() => rows.count()).toBeGreaterThan(0);
    const before = await rows.count();
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
    await picture(page, "live");
  });

  it("finishes, with each trial visible and a table beside each chart", async () => {
    await page.getByRole("button", { name: "Share", exact: true }).waitFor({ timeout: RUN_MS });
    await page.getByRole("heading", { name: "Results", exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe("Three ways to send 1 KB · Rigmark");
    await expect.poll(() => page.locator("canvas").count()).toBeGreaterThan(1);
    for (const server of ["epoll", "io-uring", "nginx"])
      expect(await page.getByRole("row", { name: new RegExp(server) }).count()).toBeGreaterThan(0);
    await picture(page, "run");
  });

  it("shares it: a stranger reads the same figures on the page, as JSON and as Markdown", async () => {
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("button", { name: "Create report" }).click();
    const link = page.getByRole("link", { name: /\/r\// }).first();
    await link.waitFor();
    slug = new URL((await link.getAttribute("href")) ?? "", url).pathname.replace("/r/", "");

    const guest = await stranger(browser);
    await guest.page.goto(`${url}/r/${slug}`);
    const text = (await guest.page.locator("main").textContent()) ?? "";
    const json = (await (await fetch(`${url}/r/${slug}.json`)).json()) as Snapshot;
    const md = await (await fetch(`${url}/r/${slug}.md`)).text();
    for (const server of ["epoll", "io-uring", "nginx"]) {
      expect(text).toContain(server);
      expect(md).toContain(server);
      expect(JSON.stringify(json)).toContain(`"${server}"`);
    }
    const measured = json.runs[0]?.summary.scenarios[0]?.entries ?? [];
    expect(measured).toHaveLength(3);
    // What a reader chose is in the link.
    const overTime = guest.page.getByRole("combobox", { name: "Metric shown over time" });
    await overTime.selectOption("memory");
    await guest.page.goto(guest.page.url());
    await expect.poll(() => overTime.inputValue()).toBe("memory");
    for (const figure of figures(measured)) {
      expect(text).toContain(figure);
      expect(md).toContain(figure);
    }
    expect(md).toMatch(/^\|.*\|$/m);
    const robots = (await fetch(`${url}/r/${slug}`)).headers.get("x-robots-tag");
    expect(robots).toContain("noindex");
    const og = await fetch(`${url}/r/${slug}/og.png`);
    const png = Buffer.from(await og.arrayBuffer());
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
    const badge = await fetch(`${url}/r/${slug}/badge.svg`);
    expect(badge.headers.get("content-type")).toContain("image/svg+xml");
    const embed = await fetch(`${url}/embed/r/${slug}`);
    expect(embed.headers.get("x-frame-options")).toBeNull();
    expect(embed.headers.get("content-security-policy")).toContain("frame-ancestors *");
    const oembed = await fetch(`${url}/oembed?${new URLSearchParams({ url: `${url}/r/${slug}` })}`);
    expect(await oembed.json()).toMatchObject({ version: "1.0", type: "rich" });
    await picture(guest.page, "report");
    expect(guest.errors).toEqual([]);
    await guest.context.close();
  });

  it("repeats it: the printed command has the very plan that was measured", async () => {
    const { runs } = (await (await fetch(`${url}/r/${slug}.json`)).json()) as Snapshot;
    const [measured] = runs;
    expect(measured?.repeat_command).toMatch(
      /^rigmark run .*--seed=\d+ --expect-agent=\S+ --expect-plan=[0-9a-f]{12} --expect=.* --expect-tool=/,
    );
    const rest = measured?.repeat_command.replace(/^rigmark run /, "") ?? "";
    // As a shell reads it.
    const [program = ""] = agent.program.command;
    const planned = await finish("sh", ["-c", `"$0" plan ${rest} --json`, program], { env: agent.env });
    expect(planned.code, planned.stderr).toBe(0);
    const { plan } = JSON.parse(planned.stdout) as { plan: { trials: PlanTrial[] } };
    const bytes = (trials: readonly unknown[]) =>
      JSON.stringify(trials.map((t) => PlanTrial.strip().parse(t)));
    expect(bytes(plan.trials)).toBe(bytes(measured?.trials ?? []));
    expect(plan.trials.length).toBeGreaterThanOrEqual(3 * Number(repeats));
  });

  it("puts another run beside it: told before that they are comparable, and each figure after is of its run", async () => {
    await page.goto(`${url}/w/${workspace}/runs/new`);
    await page.getByRole("checkbox", { name: "epoll", exact: true }).check();
    await page.getByRole("checkbox", { name: "1 KB file, autocannon, 32 connections" }).check();
    await page.getByLabel("Name", { exact: true }).fill("epoll once more");
    await page.getByLabel("Repeats").fill("1");
    await page.getByLabel("Duration", { exact: true }).fill("1");
    await page.getByLabel("Warm-up").fill("0.2");
    await page.getByRole("button", { name: "Queue run" }).click();
    await page.waitForURL(/runs\/[0-9a-f-]{36}/);
    await page.getByRole("button", { name: "Share", exact: true }).click({ timeout: RUN_MS });
    await page.getByText("Add other runs to the report").click();
    await page.getByLabel("Search the finished runs").fill("three 1 KB");
    await page.getByRole("checkbox", { name: /Three ways to send 1 KB/ }).check();
    await page.getByText("This run and run 2 were measured in the same environment.").waitFor();
    await page.getByRole("button", { name: "Create report" }).click();
    const link = page.getByRole("link", { name: /\/r\// }).first();
    await link.waitFor();
    slug = new URL((await link.getAttribute("href")) ?? "", url).pathname.replace("/r/", "");
    await page.goto(`${url}/r/${slug}`);
    await page.getByRole("heading", { name: "Run 2: Three ways to send 1 KB" }).waitFor();
    const { runs } = (await (await fetch(`${url}/r/${slug}.json`)).json()) as Snapshot;
    expect(runs.map((run) => run.summary.scenarios[0]?.entries.length)).toEqual([1, 3]);
    const table = page.getByRole("group", { name: /run by run/ });
    for (const run of runs)
      for (const figure of figures(run.summary.scenarios[0]?.entries ?? []))
        expect(await table.textContent()).toContain(figure);
    const md = await (await fetch(`${url}/r/${slug}.md`)).text();
    expect(md.match(/^\| [12] \|/gm)).toEqual(["| 1 |", "| 2 |", "| 2 |", "| 2 |"]);
    await picture(page, "report-of-two");
  });

  it("compares them on a page of their own, read from any entry; the link holds it all", async () => {
    await page.goto(`${url}/w/${workspace}/runs`);
    await page.getByRole("checkbox", { name: "Select Three ways to send 1 KB" }).check();
    await page.getByRole("checkbox", { name: "Select epoll once more" }).check();
    await page.getByRole("link", { name: "Compare", exact: true }).click();
    await page.getByRole("heading", { name: "Compare 2 runs" }).waitFor();
    // Why there is none depends on what the host did meanwhile.
    await page.getByText("no verdict").first().waitFor();
    await page.getByRole("navigation", { name: "Baseline" }).getByRole("link", { name: "epoll" }).click();
    await page.waitForURL(/baseline=epoll/);
    await page.reload();
    const table = page.getByRole("group", { name: "Ratios to the baseline of each run" });
    await expect.poll(() => table.getByText("baseline", { exact: true }).count()).toBe(2);
    await picture(page, "compare");
    await page.goto(`${url}/w/${workspace}/runs`);
    await page.getByText("2 runs selected").waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
  });

  it("takes the plan of a report to a host of one's own, and sets both results side by side", async () => {
    await page.goto(`${url}/r/${slug}`);
    await page.getByRole("link", { name: "Run this on my host" }).first().click();
    await page.waitForURL(/runs\/new\?report=/);
    expect(await page.getByRole("checkbox", { name: "epoll", exact: true }).isChecked()).toBe(true);
    await page.getByLabel("Name", { exact: true }).fill("epoll, as in the report");
    await page.getByRole("button", { name: "Queue run" }).click();
    await page.waitForURL(/runs\/[0-9a-f-]{36}/);
    await page.getByRole("link", { name: "side by side" }).click({ timeout: RUN_MS });
    await page.getByRole("heading", { name: "Compare 2 runs" }).waitFor();
    await page.getByText("from a report").waitFor();
  });

  it("finds what runs, what it showed and its hosts on the front page of the workspace", async () => {
    await page.goto(`${url}/w/${workspace}`);
    const results = page.getByRole("list", { name: "Last results" });
    await results.getByRole("link", { name: "epoll, as in the report" }).waitFor();
    await page.getByText("No runs are queued or running.").waitFor();
    expect(await lookProblems(page)).toEqual([]);
    await picture(page, "overview");
  });

  it("makes a badge of a history, which a stranger sees until it is deleted", async () => {
    await page.goto(`${url}/w/${workspace}/history`);
    await page.getByRole("link", { name: "epoll", exact: true }).first().click();
    await expect.poll(() => page.title()).toMatch(/^History of epoll: .+ · Rigmark$/);
    await page.getByRole("button", { name: "Make a badge" }).click();
    const source = await page.getByRole("img", { name: "Badge of epoll" }).getAttribute("src");
    const badge = () => fetch(`${url}${source}`);
    expect(await (await badge()).text()).toMatch(/<title>epoll, [\w-]+: /);
    expect(await lookProblems(page)).toEqual([]);
    await picture(page, "history");
    await page.getByRole("button", { name: "Delete the badge" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete the badge" }).click();
    await page.getByRole("button", { name: "Make a badge" }).waitFor();
    expect((await badge()).status).toBe(404);
  });

  it("revokes it: the link is gone", async () => {
    await page.goto(`${url}/w/${workspace}/reports`);
    await page.getByRole("button", { name: "Revoke" }).first().click();
    await page
      .getByRole("alertdialog")
      .or(page.getByRole("dialog"))
      .getByRole("button", { name: /Revoke/ })
      .click();
    await page
      .getByText(/revoked/)
      .first()
      .waitFor();
    const statuses = () =>
      Promise.all(
        ["", ".json", ".md", "/og.png", "/badge.svg", "/oembed"].map(async (suffix) => [
          suffix,
          (await fetch(`${url}/r/${slug}${suffix}`)).status,
        ]),
      );
    await expect.poll(async () => (await statuses()).filter(([, status]) => status !== 404)).toEqual([]);
  });

  it("cancels a run in the middle of its load", async () => {
    await page.goto(`${url}/w/${workspace}/runs/new`);
    await page.getByRole("checkbox", { name: "epoll", exact: true }).check();
    await page.getByRole("checkbox", { name: "1 KB file, ab, 32 connections", exact: true }).check();
    await page.getByLabel("Duration", { exact: true }).fill("600");
    await page.getByRole("button", { name: "Queue run" }).click();
    await page.waitForURL(/runs\/[0-9a-f-]{36}/);
    await page.getByRole("region", { name: "Live charts" }).waitFor();
    await page.getByRole("button", { name: "Cancel run" }).click();
    await page
      .getByRole("alertdialog")
      .or(page.getByRole("dialog"))
      .getByRole("button", { name: "Cancel run" })
      .click();
    await page.getByText("cancelled", { exact: true }).first().waitFor();
  });

  it("revokes the host: its agent ends and says why", async () => {
    await page.goto(`${url}/w/${workspace}/hosts`);
    await page.getByRole("link", { name: "lab-1" }).first().click();
    await page.getByRole("button", { name: "Revoke" }).first().click();
    await page
      .getByRole("alertdialog")
      .or(page.getByRole("dialog"))
      .getByRole("button", { name: /Revoke/ })
      .click();
    await page
      .getByText(/revoked/i)
      .first()
      .waitFor();
    // The code on which systemd does not start it again.
    expect(await agent.ended()).toBe(4);
    expect(errors).toEqual([]);
    await context.close();
  });
});
