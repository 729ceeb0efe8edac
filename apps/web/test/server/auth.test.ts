import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, createTestDatabase, startCluster } from "@rigmark/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { POST as callApi } from "@/app/api/trpc/[trpc]/route";
import { clientAddress, notePeers } from "@/server/address";
import { answerAuth } from "@/server/auth";
import { domain } from "@/server/domain";

const ORIGIN = "http://127.0.0.1:4310";
const dir = mkdtempSync(join(tmpdir(), "rigmark-auth-"));
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
  vi.stubEnv("DATABASE_URL", await createTestDatabase(cluster.url));
  vi.stubEnv("PUBLIC_URL", ORIGIN);
  vi.stubEnv("AUTH_SECRET", "x".repeat(32));
  vi.stubEnv("LOG_LEVEL", "silent");
  vi.stubEnv("SIGN_UP", "open");
  vi.stubEnv("STATE_DIR", dir);
});
afterAll(async () => {
  await domain().close();
  await cluster?.stop();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => domain().db.prisma.rateLimit.deleteMany());

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  answerAuth(
    new Request(`${ORIGIN}/api/auth${path}`, {
      method: "POST",
      headers: { origin: ORIGIN, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );
/** As somebody does who is connected from there. */
function from(address: string): Record<string, string> {
  notePeers();
  return { [(globalThis as { __rigmarkPeer?: string }).__rigmarkPeer ?? ""]: address };
}
const mailsTo = (email: string): string[] =>
  readdirSync(join(dir, "mail"))
    .map((file) => readFileSync(join(dir, "mail", file), "utf8"))
    .filter((mail) => mail.includes(`To: ${email}\n`));
const signUp = (email: string, more: object = {}) =>
  post("/sign-up/email", { name: "Ada", email, password: "a password", ...more });
const statuses = async (times: number, ask: (i: number) => Promise<Response>) => {
  const seen: number[] = [];
  for (let i = 0; i < times; i += 1) seen.push((await ask(i)).status);
  return seen;
};

describe("tries at an account", () => {
  it("are counted by address, whatever the client says of it", async () => {
    const asked = await statuses(25, (i) =>
      post(
        "/sign-in/email",
        { email: `p${i}@example.org`, password: "wrong, wrong" },
        { "x-forwarded-for": `10.0.0.${i}`, "x-rigmark-address": `10.0.1.${i}` },
      ),
    );
    expect(asked.slice(0, 20)).not.toContain(429);
    expect(asked.slice(20)).toEqual([429, 429, 429, 429, 429]);
  });

  it("are counted by e-mail address, too", async () => {
    const asked = await statuses(7, async (i) => {
      const ofAddresses = { NOT: { key: { startsWith: "/request-password-reset|" } } };
      if (i === 3) await domain().db.prisma.rateLimit.deleteMany({ where: ofAddresses });
      return post("/request-password-reset", { email: i % 2 ? "Eve@Example.org" : "eve@example.org" });
    });
    expect(asked).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect((await post("/request-password-reset", { email: "bob@example.org" })).status).toBe(200);
  });

  it("from one client lock nobody else out", async () => {
    const wrong = { email: "victim@example.org", password: "wrong, wrong" };
    const signIn = async (address: string) => (await post("/sign-in/email", wrong, from(address))).status;
    await statuses(20, () => post("/sign-in/email", wrong, from("192.0.2.1")));
    // Its own counts of addresses better-auth keeps apart.
    await domain().db.prisma.rateLimit.deleteMany({ where: { NOT: { key: { startsWith: "/" } } } });
    expect(await signIn("192.0.2.1")).toBe(429);
    expect(await signIn("192.0.2.2")).toBe(401);
  });

  it("from many clients end, where a password could be guessed", async () => {
    const wrong = { email: "guessed@example.org", password: "wrong, wrong" };
    await post("/sign-in/email", wrong);
    await domain().db.prisma.rateLimit.updateMany({
      where: { key: { startsWith: "/sign-in/email|" } },
      data: { count: 200 },
    });
    expect((await post("/sign-in/email", wrong, from("192.0.2.3"))).status).toBe(429);
  });

  it("from many clients send five mails at most, and look alike", async () => {
    await signUp("flooded@example.org");
    const asked = await statuses(7, (i) =>
      post("/request-password-reset", { email: "flooded@example.org" }, from(`192.0.2.${i}`)),
    );
    expect(new Set(asked)).toEqual(new Set([200]));
    expect(mailsTo("flooded@example.org")).toHaveLength(5);
  });
});

describe("an address that no page asks for", () => {
  it("is not found, and no count of it is kept", async () => {
    const get = async (path: string) => (await answerAuth(new Request(`${ORIGIN}/api/auth${path}`))).status;
    for (const path of ["", "/ok", "/list-sessions", "/get-session/", "/callback/x", "/reset-password/a/b"])
      expect(await get(path), path).toBe(404);
    expect(
      await get(`/reset-password/${"x".repeat(24)}?callbackURL=${encodeURIComponent("/reset-password")}`),
    ).toBe(302);
    expect(await domain().db.prisma.rateLimit.count()).toBe(0);
    expect(await get("/get-session")).toBe(200);
  });
});

describe("the address of whoever asks", () => {
  const headers = new Headers({ "x-forwarded-for": "6.6.6.6, 198.51.100.4" });

  it("comes from the connection, and a header counts when a trusted network is connected", async () => {
    notePeers();
    let seen: Headers | undefined;
    const server = createServer((request, response) => {
      seen = new Headers(request.headers as Record<string, string>);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { headers });
    server.close();
    const sent = seen ?? new Headers();
    expect(clientAddress(sent)).toBe("127.0.0.1");
    expect(clientAddress(headers)).toBeNull();
    for (const [trusted, expected] of [
      ["10.0.0.0/8", "127.0.0.1"],
      ["10.0.0.0/8, 127.0.0.0/8", "198.51.100.4"],
    ] as const) {
      vi.resetModules();
      vi.stubEnv("TRUSTED_PROXIES", trusted);
      const fresh = await import("@/server/address");
      expect(fresh.clientAddress(sent)).toBe(expected);
    }
    vi.stubEnv("TRUSTED_PROXIES", "");
  });
});

describe("a link for a new password", () => {
  it("leads to the page for that, and is dead once another one was used", async () => {
    await signUp("reset@example.org");
    const ask = { email: "reset@example.org", redirectTo: "/another-page" };
    for (const _ of [1, 2]) await post("/request-password-reset", ask);
    const link = /reset-password\/([A-Za-z0-9]+)\?callbackURL=(?:%2F)reset-password\s/;
    const tokens = mailsTo("reset@example.org").flatMap((mail) => link.exec(mail)?.[1] ?? []);
    expect(tokens).toHaveLength(2);
    const set = (token = "") => post("/reset-password", { token, newPassword: "another one" });
    expect((await set(tokens[1])).status).toBe(200);
    expect((await set(tokens[0])).status).toBe(400);
  });
});

describe("to whoever reads Chinese", () => {
  const chinese = { "accept-language": "zh-CN,zh;q=0.9,en;q=0.5" };
  const messageOf = async (response: Promise<Response>) =>
    ((await (await response).json()) as { message: string }).message;

  it("refusals are in Chinese, and what was chosen on a page counts more than the browser", async () => {
    const wrong = { email: "nobody@example.org", password: "wrong, wrong" };
    expect(await messageOf(post("/sign-in/email", wrong, chinese))).toBe("邮箱或密码不正确。");
    expect(await messageOf(post("/sign-in/email", wrong, { ...chinese, cookie: "a=b; lang=en" }))).toBe(
      "Invalid email or password",
    );
    expect(await messageOf(post("/sign-in/email", wrong, { cookie: "lang=zh" }))).toBe("邮箱或密码不正确。");
    expect(await messageOf(post("/sign-in/email", wrong))).toBe("Invalid email or password");
    await signUp("known@example.org");
    const again = { name: "Ada", email: "known@example.org", password: "a password" };
    const short = { ...again, email: "short@example.org", password: "short" };
    const noAddress = { ...again, email: "no address" };
    const token = { token: "none", newPassword: "a password" };
    expect(await messageOf(post("/sign-up/email", again, chinese))).toBe("这个邮箱已有账号，请换一个邮箱。");
    expect(await messageOf(post("/sign-up/email", short, chinese))).toBe("密码太短。");
    expect(await messageOf(post("/sign-up/email", noAddress, chinese))).toBe("邮箱地址无效。");
    expect(await messageOf(post("/reset-password", token, chinese))).toBe("链接无效，或已被使用。");
  });

  it("too many tries are refused in Chinese", async () => {
    const ask = (email: string) => post("/request-password-reset", { email }, chinese);
    for (let i = 0; i < 5; i += 1) await ask("often@example.org");
    expect(await messageOf(ask("often@example.org"))).toBe("这个邮箱的尝试次数太多，请等五分钟再试。");
    for (let i = 0; i < 5; i += 1) await ask(`other${i}@example.org`);
    expect(await messageOf(ask("last@example.org"))).toBe("请求太多，请稍后再试。");
  });

  it("so are those of the forms that take an invitation and the first owner's link, and no others", async () => {
    const call = async (path: string, input: object) => {
      const headers = { origin: ORIGIN, "content-type": "application/json", ...chinese };
      const body = JSON.stringify({ 0: { json: input } });
      const url = `${ORIGIN}/api/trpc/${path}?batch=1`;
      const response = await callApi(new Request(url, { method: "POST", headers, body }));
      return (await response.json())[0].error.json.message as string;
    };
    const token = `rgmi_${"x".repeat(43)}`;
    expect(await call("invitation.accept", { token })).toBe("请先登录。");
    expect(await call("setup.claim", { token })).toBe("请先注册或登录，再打开这个链接。");
    expect(await call("workspace.create", { name: "Lab" })).not.toMatch(/[\u4e00-\u9fff]/);
  });

  it("mails are in Chinese, with the address and the link", async () => {
    await signUp("mail@example.org");
    await post("/request-password-reset", { email: "mail@example.org" }, chinese);
    const mails = readdirSync(join(dir, "mail")).map((f) => readFileSync(join(dir, "mail", f), "utf8"));
    const mail = mails.find((m) => m.includes("To: mail@example.org")) ?? "";
    expect(mail).toContain("Subject: 为 Rigmark 设置新密码");
    expect(mail).toMatch(/有人申请为 mail@example\.org 设置新密码。[\s\S]*reset-password\/[A-Za-z0-9]+/);
  });
});

describe("a person", () => {
  it("has a name of one line and a picture by https, or none", async () => {
    const response = await signUp("long@example.org", {
      name: `A\u202e\u0007${"é".repeat(400)}`,
      image: "javascript:alert(1)",
    });
    expect(response.status).toBe(200);
    const stored = () => domain().db.prisma.user.findUniqueOrThrow({ where: { email: "long@example.org" } });
    expect(await stored()).toMatchObject({ name: `A  ${"é".repeat(77)}`, image: null });
    const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
    const change = (body: object) => post("/update-user", body, { cookie });
    expect((await change({ name: "B".repeat(300), image: "http://x/y.png" })).status).toBe(200);
    expect(await stored()).toMatchObject({ name: "B".repeat(80), image: null });
    expect((await change({ image: "https://x.example/y.png" })).status).toBe(200);
    expect(await stored()).toMatchObject({ name: "B".repeat(80), image: "https://x.example/y.png" });
  });

  it("sends no more than a person would", async () => {
    expect((await signUp("big@example.org", { name: "x".repeat(70_000) })).status).toBe(413);
  });
});

describe("the pages' endpoint", () => {
  it("reads at most a megabyte", async () => {
    const ask = (body: string) =>
      callApi(
        new Request(`${ORIGIN}/api/trpc/run.cancel`, { method: "POST", headers: { origin: ORIGIN }, body }),
      );
    expect((await ask("x".repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await ask("{}")).status).not.toBe(413);
  });
});
