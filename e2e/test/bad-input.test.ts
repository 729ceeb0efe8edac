import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Agent } from "../src/agent";
import { launch, stranger } from "../src/browser";
import { type Member, member } from "../src/client";

/** What comes from outside is refused in one sentence, or shown as text. */
describe("bad input", () => {
  const url = inject("url");
  const dir = join(inject("dir"), "bad");
  let ada: Member;
  beforeAll(async () => {
    ada = await member(url);
  });

  const sentence = (out: { stdout: string; stderr: string }) =>
    JSON.parse(out.stdout).error.message as string;

  it("a wrong enrollment key", async () => {
    const agent = new Agent(dir, "wrong-key");
    const out = await agent.run(["enroll", "--url", url, "--key", `rgme_${"A".repeat(43)}`, "--json"]);
    expect(out.code).toBe(1);
    expect(sentence(out)).toMatch(/key/);
  });

  it("something that is no key at all", async () => {
    const out = await new Agent(dir, "no-key").run(["enroll", "--url", url, "--key", "hello", "--json"]);
    expect([1, 2]).toContain(out.code);
  });

  it("an address where nothing listens", async () => {
    const out = await new Agent(dir, "nobody").run([
      ...["enroll", "--url", "http://127.0.0.1:1", "--key", `rgme_${"A".repeat(43)}`, "--json"],
    ]);
    expect(out.code).toBe(1);
    expect(sentence(out)).toMatch(/127\.0\.0\.1:1/);
  });

  it("plain HTTP to another machine", async () => {
    const out = await new Agent(dir, "plain").run([
      ...["enroll", "--url", "http://192.0.2.1", "--key", `rgme_${"A".repeat(43)}`, "--json"],
    ]);
    expect([1, 2]).toContain(out.code);
    expect(out.stdout + out.stderr).toMatch(/--allow-http/);
  });

  it("an agent without a session", async () => {
    const response = await fetch(`${url}/api/agent/v1/lease`, { method: "POST", body: "{}" });
    expect(response.status).toBe(401);
    expect((await response.json()).error.message).toMatch(/[.]$/);
  });

  it("a host name made of markup stays text", async () => {
    const { key } = await ada.trpc.host.createEnrollment.mutate({
      workspace: ada.workspace,
      name: `<img src=x onerror="document.title='owned'">`,
    });
    const agent = new Agent(dir, "markup");
    expect((await agent.run(["enroll", "--url", url, "--key", key, "--json"])).code).toBe(0);
    const browser: Browser = await launch();
    afterAll(() => browser.close());
    const { page, context } = await stranger(browser);
    await context.addCookies(
      ada.cookie.split("; ").map((pair) => {
        const at = pair.indexOf("=");
        return { name: pair.slice(0, at), value: decodeURIComponent(pair.slice(at + 1)), url };
      }),
    );
    await page.goto(`${url}/w/${ada.workspace}/hosts`);
    await page.getByText("<img src=x").first().waitFor();
    expect(await page.title()).not.toBe("owned");
    expect(await page.locator("main img").count()).toBe(0);
  });

  it("a run that asks for what the host cannot do", async () => {
    const [host] = await ada.trpc.host.list.query({ workspace: ada.workspace });
    await expect(
      ada.trpc.run.create.mutate({
        workspace: ada.workspace,
        hostId: host?.host_id ?? "",
        spec: {
          schema: 1,
          title: "",
          entries: [{ label: "x", server: "no-such-server", options: {} }],
          scenarios: ["no-such-scenario"],
          repeats: 1,
          duration_s: 1,
          warmup_s: 0,
          baseline: null,
          seed: 1,
        },
      }),
    ).rejects.toThrow();
  });

  it("another tenant's host, run and pages", async () => {
    const eve = await member(url);
    const [host] = await ada.trpc.host.list.query({ workspace: ada.workspace });
    await expect(eve.trpc.host.list.query({ workspace: ada.workspace })).rejects.toThrow();
    await expect(
      eve.trpc.host.get.query({ workspace: eve.workspace, hostId: host?.host_id ?? "" }),
    ).rejects.toThrow();
  });

  it("a picture in another size, and more calls at once than anybody needs", async () => {
    const picture = `${url}/_next/image?url=${encodeURIComponent("/icon.svg")}&w=640&q=75`;
    expect((await fetch(picture)).status).toBe(404);
    const calls = Array(21).fill("setup.status").join(",");
    const many = await fetch(`${url}/api/trpc/${calls}?batch=1&input=%7B%7D`);
    expect([many.status, (await many.json()).error.json.message]).toEqual([
      400,
      expect.stringMatching(/at most 20/),
    ]);
  });

  it("a report that never was", async () => {
    for (const path of ["/r/nope", `/r/${"A".repeat(22)}`, `/r/${"A".repeat(22)}.json`, "/r/%00.md"])
      expect((await fetch(url + path)).status, path).toBeGreaterThanOrEqual(400);
  });
});
