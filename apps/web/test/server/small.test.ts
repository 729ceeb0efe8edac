// cspell:ignore jsonx opne
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_doesMiddlewareMatch } from "next/experimental/testing/server";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseEnv } from "@/env";
import { config as proxyConfig } from "@/proxy";
import { isFromHere } from "@/server/address";
import { sendMail } from "@/server/mail";
import { fromTrustedPage, trustedOrigins } from "@/server/origin";
import { installScript, releaseFile } from "@/server/release";

const dir = mkdtempSync(join(tmpdir(), "rigmark-web-"));
const GOOD = {
  DATABASE_URL: "postgresql://127.0.0.1/rigmark",
  AUTH_SECRET: "x".repeat(32),
  PUBLIC_URL: "https://rigmark.example/",
};

beforeAll(() => {
  for (const [name, value] of Object.entries(GOOD)) vi.stubEnv(name, value);
  vi.stubEnv("STATE_DIR", join(dir, "state"));
  vi.stubEnv("RELEASE_DIR", join(dir, "release"));
  vi.stubEnv("LOG_LEVEL", "silent");
  mkdirSync(join(dir, "release"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("the environment", () => {
  it("is read once, with what is empty counting as unset", () => {
    const read = parseEnv({ ...GOOD, SMTP_URL: "", PORT: "4310" });
    expect(read).toMatchObject({ PUBLIC_URL: "https://rigmark.example", PORT: 4310 });
    expect(read.SMTP_URL).toBeUndefined();
    expect([read.SIGN_UP, read.TRUSTED_PROXIES.has("127.0.0.1")]).toEqual(["closed", false]);
    expect(parseEnv({ ...GOOD, SIGN_UP: "Example.ORG" }).SIGN_UP).toBe("example.org");
    expect(parseEnv({ ...GOOD, PUBLIC_URL: "http://[::1]:4310" }).PUBLIC_URL).toBe("http://[::1]:4310");
    expect(parseEnv({ ...GOOD, PUBLIC_URL: "", PORT: "4310" }).PUBLIC_URL).toBe("http://127.0.0.1:4310");
  });

  it.each([
    [{ DATABASE_URL: undefined }, "DATABASE_URL is not set"],
    [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL must start with postgresql://"],
    [{ AUTH_SECRET: "short" }, "AUTH_SECRET must have at least 32"],
    [{ PUBLIC_URL: "https://x/path" }, "PUBLIC_URL must have no path"],
    [{ PUBLIC_URL: "javascript:alert(1)" }, "PUBLIC_URL must be an http"],
    [{ PUBLIC_URL: "https://a$(id)" }, "PUBLIC_URL must have a host"],
    [{ PUBLIC_URL: "https://a'b;c" }, "PUBLIC_URL must have a host"],
    [{ QUOTA_HOSTS: "0" }, "QUOTA_HOSTS must be a whole number above 0"],
    [{ TRUSTED_PROXIES: "all" }, "TRUSTED_PROXIES must be a list of networks"],
    [{ TRUSTED_PROXIES: "1" }, "TRUSTED_PROXIES must be a list of networks such as 10.0.0.0/8"],
    [{ WEBHOOK_NETWORKS: "lan" }, "WEBHOOK_NETWORKS must be a list of networks"],
    [{ SIGN_UP: "opne" }, "SIGN_UP must be open, closed, or a domain"],
    [{ GITHUB_CLIENT_ID: "x" }, "GITHUB_CLIENT_SECRET"],
  ])("that is wrong is named in one sentence: %o", (change, words) => {
    expect(() => parseEnv({ ...GOOD, ...change })).toThrow(words);
  });
});

describe("origins", () => {
  it("that may write are the public one, and this machine's when it was asked for by such a name", () => {
    expect(trustedOrigins("rigmark.example")).toEqual(["https://rigmark.example"]);
    expect(trustedOrigins("localhost:4310")).toContain("http://127.0.0.1:4310");
    expect(trustedOrigins("127.0.0.1:4310")).toContain("http://localhost:4310");
    expect(trustedOrigins("127.0.0.1.evil.example:4310")).toEqual(["https://rigmark.example"]);
    const from = (origin: string | null, host: string) =>
      fromTrustedPage(new Headers({ host, ...(origin === null ? {} : { origin }) }));
    expect(from("https://evil.example", "rigmark.example")).toBe(false);
    expect(from("null", "rigmark.example")).toBe(false);
    expect(from("http://localhost:4310", "rigmark.example")).toBe(false);
    expect(from("https://rigmark.example", "rigmark.example")).toBe(true);
    expect(from(null, "rigmark.example")).toBe(true);
  });
});

describe("whoever asks is at this machine", () => {
  const asks = (peer: string | null, headers: Record<string, string>) =>
    isFromHere(peer, new Headers({ host: "127.0.0.1:4270", ...headers }));

  it("where connection, name and all that Next adds say so", () => {
    expect(asks("127.0.0.1", {})).toBe(true);
    expect(asks("::1", { host: "[::1]:4270" })).toBe(true);
    expect(asks("::ffff:127.0.0.1", { host: "localhost:4270", "x-forwarded-for": "::ffff:127.0.0.1" })).toBe(
      true,
    );
  });

  it.each<[string | null, Record<string, string>]>([
    [null, {}],
    ["192.168.1.10", {}],
    ["127.0.0.1", { host: "192.168.1.10:4270" }],
    ["127.0.0.1", { host: "rigmark.example" }],
    ["127.0.0.1", { host: "127.0.0.1.evil.example" }],
    ["127.0.0.1", { "x-forwarded-for": "192.168.1.77" }],
    ["127.0.0.1", { "x-forwarded-for": "127.0.0.1, 192.168.1.77" }],
    ["127.0.0.1", { "x-forwarded-for": "unknown" }],
    ["127.0.0.1", { forwarded: "for=192.168.1.77" }],
    ["127.0.0.1", { via: "1.1 proxy" }],
    ["127.0.0.1", { "x-real-ip": "127.0.0.1" }],
  ])("and not from %s with %o", (peer, headers) => {
    expect(asks(peer, headers)).toBe(false);
  });
});

describe("mail without a server", () => {
  it("is a file that only its owner reads, and no header can be smuggled in", async () => {
    await sendMail({ to: "ada@example.org\r\nBcc: eve@example.org", subject: "Hello", text: "https://link" });
    const [name = ""] = readdirSync(join(dir, "state/mail"));
    const file = join(dir, "state/mail", name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(6);
  });
});

describe("downloads", () => {
  const put = (name: string, text: string) => writeFileSync(join(dir, "release", name), text);

  it("are what the list of checksums names, and nothing else", async () => {
    expect((await releaseFile("agent.tar.gz")).status).toBe(404);
    const sha256 = createHash("sha256").update("agent").digest("hex");
    put("agent.tar.gz", "agent");
    put("secret", "secret");
    put("SHA256SUMS", `${sha256}  agent.tar.gz\n${sha256}  ../secret\n${sha256}  missing.tar.gz\n`);
    const found = await releaseFile("agent.tar.gz");
    expect([found.status, found.headers.get("etag"), await found.text()]).toEqual([
      200,
      `"${sha256}"`,
      "agent",
    ]);
    expect((await releaseFile("SHA256SUMS")).status).toBe(200);
    for (const name of [
      "secret",
      "../secret",
      "missing.tar.gz",
      "../../etc/passwd",
      "",
      ".",
      "/etc/passwd",
    ]) {
      expect((await releaseFile(name)).status, name).toBe(404);
    }
  });

  it("come with an install script that knows this address", async () => {
    const response = await installScript();
    expect(response.headers.get("content-type")).toContain("text/plain");
    const text = await response.text();
    expect(text).toMatch(/^#!\/bin\/sh/);
    expect(text).toContain("https://rigmark.example");
    expect(text).not.toContain("@URL@");
    expect(text).toContain("key_of_releases=''");
  });

  it("put the key of the releases into it, and nothing else that stands in that file", async () => {
    const key = `RWS${"a".repeat(53)}`;
    const file = join(dir, "release/rigmark.pub");
    const filled = async () => /key_of_releases='(.*?)'/.exec(await (await installScript()).text())?.[1];
    for (const [text, expected] of [
      [`untrusted comment: minisign public key\n${key}\n`, key],
      [`${key}\n'; rm -rf /; '\n`, ""],
      ["", ""],
    ] as const) {
      writeFileSync(file, text);
      expect(await filled()).toBe(expected);
    }
    expect((await releaseFile("rigmark.pub")).status).toBe(200);
    expect((await releaseFile("SHA256SUMS.minisig")).status).toBe(404);
  });
});

describe("the policy of a page", () => {
  it("is for pages, and for no form of a report", () => {
    const matches = (path: string) =>
      unstable_doesMiddlewareMatch({ config: proxyConfig, url: `https://rigmark.example${path}` });
    for (const path of [
      "/",
      "/w/ada/runs",
      "/r/abc",
      "/r/abc.jsonx",
      "/explore/plaintext-ab",
      "/explore/servers/csv/x",
      "/embed/r/abc",
      "/install.shx",
      "/favicon.icon",
      "/w/icon.svg",
    ])
      expect(matches(path), path).toBe(true);
    for (const path of [
      "/r/a-_b.json",
      "/r/abc.md",
      "/r/abc/json",
      "/r/abc/badge.svg",
      "/r/abc/og.png",
      "/r/abc/oembed",
      "/explore/plaintext-ab/csv",
      "/explore/servers/csv",
      "/oembed",
      "/theme.js",
    ])
      expect(matches(path), path).toBe(false);
  });
});
