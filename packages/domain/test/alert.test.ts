import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type Ctx,
  createWebhook,
  deleteRuns,
  deleteWebhook,
  findAlerts,
  getAlerts,
  listAlerts,
  listAudit,
  sendAlerts,
  setAlertMail,
  testAlertMail,
  testWebhook,
} from "../src/index";
import { parseNetworks } from "../src/networks";
import { FACTS, type JournalOptions, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, type Person, sendChunk, useWorld } from "./world";

const world = useWorld();
const HOUR_S = 3600;

/** As an app whose operator lets webhooks reach this machine. */
const onThisMachine = (ctx: Ctx): Ctx => ({
  ...ctx,
  config: { ...ctx.config, webhookNetworks: parseNetworks("127.0.0.1") },
});

const find = () => findAlerts({ ctx: world.system });
interface Sent {
  to: string;
  subject: string;
  text: string;
}
/** Sends what is due, and returns the mails. */
async function send(ctx: Ctx = world.system): Promise<Sent[]> {
  const mails: Sent[] = [];
  const sendMail = async (mail: Sent) => {
    mails.push(mail);
  };
  await sendAlerts({ ctx, input: { sendMail, by: "webhook" } });
  await sendAlerts({ ctx, input: { sendMail, by: "mail" } });
  return mails;
}
const deliveries = async (person: Person) =>
  (await getAlerts({ ctx: person.ctx, input: { workspace: person.workspace } })).deliveries;

async function listening() {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  await setAlertMail({ ctx: ada.ctx, input: { workspace: ada.workspace, on: true } });
  const measure = async (rates: JournalOptions["rates"]) => {
    const { runId, lease } = await leasedRun(ada, agent, SPEC);
    await beginAttempt(agent.ctx, lease);
    const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates }), 50);
    for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
    await endAttempt(agent.ctx, lease, chunks);
    return runId;
  };
  return { ada, measure };
}

describe("an alert", () => {
  it("comes when a verdict becomes slower, not each time that it still is", async () => {
    const { ada, measure } = await listening();
    const slow = { nginx: 2000, epoll: 1000 };
    const fast = { nginx: 1000, epoll: 2000 };
    const runId = await measure(slow);
    expect(await find()).toBe(1);
    const [mail] = await send();
    expect(mail?.to).toMatch(/^ada-/);
    expect(mail?.subject).toContain("epoll");
    expect(mail?.text).toContain(`https://rigmark.example/w/${ada.workspace}/runs/${runId}`);
    await measure(slow);
    expect(await find()).toBe(0);
    await measure(fast);
    expect(await find()).toBe(0);
    await measure(slow);
    expect(await find()).toBe(1);
    expect(await send()).toHaveLength(1);
    expect(await send()).toEqual([]);
    expect(await deliveries(ada)).toMatchObject([{ state: "sent" }, { state: "sent" }]);
  });

  it("comes once for a change point, with the run that began it", async () => {
    const { measure } = await listening();
    const runs: string[] = [];
    const found: number[] = [];
    for (let place = 0; place < 16; place += 1) {
      const epoll = (place < 7 ? 3_000 : 2_000) + place;
      runs.push(await measure({ nginx: 1_000, epoll }));
      found.push(await find());
    }
    expect(found.reduce((sum, n) => sum + n)).toBe(1);
    const [mail] = await send();
    expect(mail?.subject).toContain(
      `${SCENARIO.title}: The figures of epoll changed, beginning with the earlier run “`,
    );
    expect(mail?.text).toMatch(
      /epoll changed, beginning with the earlier run “[^”]+” of \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Slower: /,
    );
    expect(mail?.text).not.toContain("this run");
    expect(mail?.text).toContain("First run after the change: https://rigmark.example/w/");
    expect(mail?.text).toContain(`/runs/${runs[7]}`);
    expect(mail?.text).toContain("/history?");
    const alert = await world.domain.db.prisma.alert.findFirstOrThrow({
      where: { changes: { isEmpty: false } },
    });
    expect(alert.message).toMatchObject({
      findings: [{ kind: "change", verdict: "slower", entry: "epoll", first_run: { id: runs[7] } }],
    });
  });

  it("comes once where the mail server takes its time", async () => {
    const { ada, measure } = await listening();
    await measure({ nginx: 2000, epoll: 1000 });
    await find();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let sending: Promise<number> | undefined;
      await new Promise<void>((asked) => {
        const sendMail = () => {
          asked();
          return new Promise<void>((taken) => setTimeout(taken, 90_000));
        };
        sending = sendAlerts({ ctx: world.system, input: { sendMail, by: "mail" } });
      });
      await vi.advanceTimersByTimeAsync(90_000);
      await sending;
    } finally {
      vi.useRealTimers();
    }
    expect(await deliveries(ada)).toMatchObject([{ state: "sent", tries: 1 }]);
  });

  it("waits for few of another workspace: a round has two of each", async () => {
    const [ada, bob] = [await world.person("Ada"), await world.person("Bob")];
    for (const { ctx, workspace } of [ada, ada, ada, bob]) await testAlertMail({ ctx, input: { workspace } });
    const round = async () => (await send()).map(({ to }) => to.split("-")[0]).sort();
    expect(await round()).toEqual(["ada", "ada", "bob"]);
    expect(await round()).toEqual(["ada"]);
  });

  it("goes to nobody where nobody listens, and is kept for who looks", async () => {
    const { ada, measure } = await listening();
    await setAlertMail({ ctx: ada.ctx, input: { workspace: ada.workspace, on: false } });
    const runId = await measure({ nginx: 2000, epoll: 1000 });
    expect(await find()).toBe(1);
    expect(await deliveries(ada)).toEqual([]);
    const list = () => listAlerts({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 8 } });
    expect((await list()).alerts).toMatchObject([
      { run: { id: runId }, findings: [{ kind: "slower", entry: "epoll" }] },
    ]);
    await deleteRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, runIds: [runId] } });
    expect((await list()).alerts).toEqual([]);
  });
});

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}
const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

/** A server on this machine, and what it got. */
async function receiver(respond: RequestListener) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    received.push({ headers: request.headers, body });
    respond(request, response);
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

async function hooked(url: string) {
  const ada = await world.person("Ada");
  const ctx = onThisMachine(ada.ctx);
  const { secret, view } = await createWebhook({ ctx, input: { workspace: ada.workspace, url } });
  await testWebhook({ ctx, input: { workspace: ada.workspace, webhookId: view.webhook_id } });
  return { ada, secret };
}

describe("a webhook", () => {
  it("gets a message whose signature is of the time and the body", async () => {
    const { received, url } = await receiver((_, response) => response.writeHead(204).end());
    const { ada, secret } = await hooked(url);
    await send(onThisMachine(world.system));
    expect(await deliveries(ada)).toMatchObject([{ state: "sent", status: 204, tries: 1, test: true }]);
    const [first] = received;
    const body = first?.body ?? "";
    const signature = String(first?.headers["rigmark-signature"]);
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
    expect(v1).toBe(createHmac("sha256", secret).update(`${t}.${body}`).digest("hex"));
    expect(JSON.parse(body)).toMatchObject({ type: "test", workspace: ada.workspace, findings: [] });
  });

  it("is tried again with growing pauses, and then given up", async () => {
    const { received, url } = await receiver((_, response) => response.writeHead(500).end());
    const { ada, measure } = await listening();
    const input = { workspace: ada.workspace };
    await setAlertMail({ ctx: ada.ctx, input: { ...input, on: false } });
    await createWebhook({ ctx: onThisMachine(ada.ctx), input: { ...input, url } });
    await measure({ nginx: 2000, epoll: 1000 });
    await find();
    const ctx = onThisMachine(world.system);
    await send(ctx);
    await send(ctx);
    expect(received).toHaveLength(1);
    expect(await deliveries(ada)).toMatchObject([
      { state: "waiting", status: 500, error: "It responded with status 500." },
    ]);
    for (let n = 0; n < 10; n += 1) {
      world.clock.advance(7 * HOUR_S);
      await send(ctx);
    }
    expect(received).toHaveLength(6);
    expect(await deliveries(ada)).toMatchObject([{ state: "failed", tries: 6, next_try_at: null }]);
  });

  it("gets a test once, whatever becomes of it", async () => {
    const { received, url } = await receiver((_, response) => response.writeHead(500).end());
    const { ada } = await hooked(url);
    await send(onThisMachine(world.system));
    world.clock.advance(HOUR_S);
    await send(onThisMachine(world.system));
    expect(received).toHaveLength(1);
    expect(await deliveries(ada)).toMatchObject([
      { state: "failed", error: "It responded with status 500.", tries: 1, next_try_at: null },
    ]);
  });

  it("that never answers is given up after ten seconds", async () => {
    const { received, url } = await receiver(() => undefined);
    const { ada } = await hooked(url);
    await send(onThisMachine(world.system));
    expect(received).toHaveLength(1);
    expect(await deliveries(ada)).toMatchObject([
      { state: "failed", status: null, error: "It did not respond within 10 s." },
    ]);
  });

  it("follows no redirect", async () => {
    const { received, url } = await receiver((_, response) =>
      response.writeHead(302, { location: "/elsewhere" }).end(),
    );
    const { ada } = await hooked(url);
    await send(onThisMachine(world.system));
    expect(received).toHaveLength(1);
    const [delivery] = await deliveries(ada);
    expect(delivery?.error).toContain("redirects are not followed");
  });

  it("does not reach a private address unless the operator allows it, whatever it was allowed before", async () => {
    const { received, url } = await receiver((_, response) => response.end());
    const { ada } = await hooked(url);
    await send(world.system);
    expect(received).toEqual([]);
    expect(await deliveries(ada)).toMatchObject([{ state: "failed", status: null }]);
    const create = (wrong: string) =>
      createWebhook({ ctx: ada.ctx, input: { workspace: ada.workspace, url: wrong } });
    for (const wrong of [
      "http://example.org/",
      "https://127.0.0.1/",
      "https://localhost:4270/",
      "https://[::1]/",
      "https://a:b@example.org/",
      "ftp://example.org/",
      "hook",
    ])
      await expect(create(wrong), wrong).rejects.toMatchObject({ code: "invalid" });
    expect((await create("https://example.org/hook")).secret).toMatch(/^rgmw_/);
  });

  it("is one of at most five, also of those that are made at once, and the log has them", async () => {
    const { ctx, workspace } = await world.person("Ada");
    const url = "https://hooks.example.org/services/secret";
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, () => createWebhook({ ctx, input: { workspace, url } })),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    const { webhooks } = await getAlerts({ ctx, input: { workspace } });
    expect(webhooks).toHaveLength(5);
    await deleteWebhook({ ctx, input: { workspace, webhookId: webhooks[0]?.webhook_id ?? "" } });
    const [last, ...before] = (await listAudit({ ctx, input: { workspace } })).events;
    expect(last).toMatchObject({ what: "webhook-deleted", subject: "https://hooks.example.org" });
    expect(before.filter(({ what }) => what === "webhook-created")).toHaveLength(5);
  });

  it("shows its whole address to who may change it only, and tests are limited", async () => {
    const { ada } = await hooked("https://hooks.example.org/services/secret");
    const bob = await world.person("Bob");
    const { workspace_id } = await world.domain.db.prisma.workspaceSlug.findUniqueOrThrow({
      where: { slug: ada.workspace },
    });
    if (bob.ctx.actor.kind !== "user") throw new Error("Bob is a person");
    const member = { workspace_id, user_id: bob.ctx.actor.userId, role: "member" };
    await world.domain.db.prisma.member.create({ data: member });
    const input = { workspace: ada.workspace };
    expect((await getAlerts({ ctx: bob.ctx, input })).webhooks).toMatchObject([
      { url: "https://hooks.example.org" },
    ]);
    const tests = Array.from({ length: 10 }, () => testAlertMail({ ctx: bob.ctx, input }));
    const results = await Promise.allSettled(tests);
    expect(results.filter((result) => result.status === "rejected")).toHaveLength(1);
    await world.domain.db.prisma.webhook.deleteMany();
  });
});
