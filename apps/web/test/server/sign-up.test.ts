import { createServer, type Server, type Socket } from "node:net";
import { type Cluster, createTestDatabase, startCluster } from "@rigmark/db/testing";
import { claimHome, createInvitation, type Domain, ensureHome } from "@rigmark/domain";
import { CLAIM_HEADER, INVITATION_HEADER } from "@rigmark/results/settings";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const ORIGIN = "http://127.0.0.1:4311";
let cluster: Cluster;
let mails: Awaited<ReturnType<typeof mailbox>>;

beforeAll(async () => {
  cluster = await startCluster();
  mails = await mailbox();
  vi.stubEnv("PUBLIC_URL", ORIGIN);
  vi.stubEnv("AUTH_SECRET", "x".repeat(32));
  vi.stubEnv("LOG_LEVEL", "silent");
});
afterAll(async () => {
  mails?.close();
  await cluster?.stop();
});

/** A fresh installation that was started with these settings. */
async function installation(settings: Record<string, string>) {
  vi.stubEnv("DATABASE_URL", await createTestDatabase(cluster.url));
  for (const name of ["SIGN_UP", "SMTP_URL"]) vi.stubEnv(name, settings[name] ?? "");
  vi.resetModules();
  const shared = globalThis as { __rigmarkDomain?: Domain };
  delete shared.__rigmarkDomain;
  const { answerAuth } = await import("@/server/auth");
  const domain = (await import("@/server/domain")).domain();
  const ask = (path: string, body?: object, headers: Record<string, string> = {}) =>
    answerAuth(
      new Request(path.startsWith("http") ? path : `${ORIGIN}/api/auth${path}`, {
        method: body ? "POST" : "GET",
        headers: { origin: ORIGIN, "content-type": "application/json", ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    );
  return {
    domain,
    ask,
    signUp: (email: string, headers: Record<string, string> = {}) =>
      ask("/sign-up/email", { name: "Ada", email, password: "a password" }, headers),
    people: () => domain.db.prisma.user.count(),
    claimToken: async () => (await ensureHome({ ctx: domain.as({ kind: "system" }) })).claimToken ?? "",
  };
}

describe("sign-up", () => {
  it("is closed unless it was opened, and tells nobody who has an account", async () => {
    const { domain, signUp, people, claimToken } = await installation({});
    const token = await claimToken();
    expect((await signUp("ada@example.org", { [CLAIM_HEADER]: "rgmc_wrong" })).status).toBe(403);
    expect(await people()).toBe(0);
    expect((await signUp("ada@example.org", { [CLAIM_HEADER]: token })).status).toBe(200);
    const [known, unknown] = [await signUp("ada@example.org"), await signUp("eve@example.org")];
    expect([known.status, unknown.status]).toEqual([403, 403]);
    expect(await known.text()).toBe(await unknown.text());
    expect(await people()).toBe(1);
    await domain.close();
  });

  it("is closed by a link that was used, too", async () => {
    const { domain, signUp, people, claimToken } = await installation({});
    const token = await claimToken();
    await signUp("ada@example.org", { [CLAIM_HEADER]: token });
    // Before anybody took the installation over, and after that.
    expect((await signUp("eve@example.org", { [CLAIM_HEADER]: token })).status).toBe(403);
    const { id: userId } = await domain.db.prisma.user.findFirstOrThrow();
    const ctx = domain.as({ kind: "user", userId, name: "Ada", email: "ada@example.org" });
    expect(await claimHome({ ctx, input: { token } })).toEqual({ workspace: "home" });
    expect((await signUp("eve@example.org", { [CLAIM_HEADER]: token })).status).toBe(403);
    expect(await people()).toBe(1);
    await domain.close();
  });

  it("is open to one account that holds an invitation, which belongs to the workspace then", async () => {
    const { domain, signUp, people, claimToken } = await installation({});
    const token = await claimToken();
    await signUp("ada@example.org", { [CLAIM_HEADER]: token });
    const { id: userId } = await domain.db.prisma.user.findFirstOrThrow();
    const ctx = domain.as({ kind: "user", userId, name: "Ada", email: "ada@example.org" });
    await claimHome({ ctx, input: { token } });
    const invite = async (email: string | null) => {
      const input = { workspace: "home", role: "viewer", email, mail: null } as const;
      const { url } = await createInvitation({ ctx, input });
      return { [INVITATION_HEADER]: new URL(url ?? "").searchParams.get("token") ?? "" };
    };
    const forAnybody = await invite(null);
    expect((await signUp("bob@example.org", forAnybody)).status).toBe(200);
    expect((await signUp("eve@example.org", forAnybody)).status).toBe(403);
    expect((await signUp("eve@example.org", await invite("vic@example.org"))).status).toBe(403);
    expect(await people()).toBe(2);
    const { members } = await domain.db.prisma.user.findUniqueOrThrow({
      where: { email: "bob@example.org" },
      include: { members: { include: { workspace: { include: { slug: true } } } } },
    });
    expect(members.map(({ role, workspace }) => [role, workspace.slug?.slug])).toEqual([["viewer", "home"]]);
    await domain.close();
  });

  it("is for one domain, whose addresses are believed where there is no mail server", async () => {
    const { domain, signUp, people } = await installation({ SIGN_UP: "example.org" });
    expect((await signUp("eve@evil.org")).status).toBe(403);
    const joined = await signUp("ada@example.org");
    expect([joined.status, await joined.json()]).toMatchObject([200, { token: expect.any(String) }]);
    expect(await people()).toBe(1);
    await domain.close();
  });

  it("is for one domain, whose addresses are proved by a mail where there is a mail server", async () => {
    const { domain, ask, signUp, claimToken } = await installation({
      SIGN_UP: "example.org",
      SMTP_URL: mails.url,
    });
    expect((await signUp("eve@evil.org")).status).toBe(403);
    const joined = await signUp("ada@example.org");
    expect([joined.status, await joined.json()]).toMatchObject([200, { token: null }]);
    const signIn = () => ask("/sign-in/email", { email: "ada@example.org", password: "a password" });
    const link = /(http:\S+verify-email\S+)/.exec(await mails.next())?.[1] ?? "";
    expect((await signIn()).status).toBe(403);
    const opened = await ask(link);
    expect(opened.headers.get("set-cookie")).toContain("session_token");
    expect((await signIn()).status).toBe(200);
    // The first owner holds a link from the machine itself, whatever their address.
    const owner = await signUp("owner@elsewhere.example", { [CLAIM_HEADER]: await claimToken() });
    expect(owner.status).toBe(200);
    const entered = await ask("/sign-in/email", { email: "owner@elsewhere.example", password: "a password" });
    expect(entered.status).toBe(200);
    await domain.close();
  });

  it("is refused while the mail server takes no mail, for known and unknown addresses alike", async () => {
    const { domain, ask, signUp, people } = await installation({
      SIGN_UP: "open",
      SMTP_URL: "smtp://127.0.0.1:1",
    });
    const says = "The mail server does not respond";
    const joined = await signUp("ada@example.org");
    expect([joined.status, await joined.json()]).toMatchObject([
      503,
      { message: expect.stringContaining(says) },
    ]);
    expect(await people()).toBe(0);
    const reset = await ask("/request-password-reset", { email: "ada@example.org" });
    expect([reset.status, await reset.json()]).toMatchObject([
      503,
      { message: expect.stringContaining(says) },
    ]);
    await domain.close();
  });

  it("is for anybody who proves an address, where there is a mail server", async () => {
    const { domain, signUp } = await installation({ SIGN_UP: "open", SMTP_URL: mails.url });
    const joined = await signUp("ada@example.org");
    expect([joined.status, await joined.json()]).toMatchObject([200, { token: null }]);
    // The same on the page, and in the mail what to do.
    const again = await signUp("ada@example.org");
    expect([again.status, await again.json()]).toMatchObject([200, { token: null }]);
    for (;;) if ((await mails.next()).includes("has one already")) break;
    await domain.close();
  });

  it("waits for no mail server, so that nobody learns by the time who has an account", async () => {
    const { domain, ask, signUp, claimToken } = await installation({ SMTP_URL: mails.url });
    const owner = await signUp("ada@example.org", { [CLAIM_HEADER]: await claimToken() });
    expect(owner.status).toBe(200);
    const release = mails.hold();
    const reset = await ask("/request-password-reset", { email: "ada@example.org" });
    expect(reset.status).toBe(200);
    for (;;) if ((await mails.next()).includes("reset-password/")) break;
    release();
    await domain.close();
  });
});

/** A mail server that takes everything. */
async function mailbox() {
  const got: string[] = [];
  let held = Promise.resolve();
  let wake: () => void = () => undefined;
  const server: Server = createServer((socket: Socket) => {
    let text = "";
    let inMail = false;
    socket.write("220 test\r\n");
    socket.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      for (;;) {
        const end = inMail ? text.indexOf("\r\n.\r\n") : text.indexOf("\r\n");
        if (end < 0) return;
        const said = text.slice(0, end);
        text = text.slice(end + (inMail ? 5 : 2));
        if (inMail) {
          // Quoted-printable, as far as an address needs it.
          got.push(said.replace(/=\r\n/g, "").replace(/=3D/g, "="));
          wake();
          void held.then(() => socket.write("250 ok\r\n"));
        } else socket.write(said === "DATA" ? "354 go on\r\n" : "250 ok\r\n");
        inMail = said === "DATA" && !inMail;
        if (said === "QUIT") socket.end();
      }
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    next: async () => {
      while (got.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return got.shift() ?? "";
    },
    /** A mail is taken only once the returned function is called. */
    hold: (): (() => void) => {
      let release: () => void = () => undefined;
      held = new Promise<void>((resolve) => (release = resolve));
      return () => release();
    },
    close: () => server.close(),
  };
}
