import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { NextRequest } from "next/server";
import { afterEach, describe, expect, it } from "vitest";
import { proxy } from "@/proxy";
import { makeFrozen } from "@/server/frozen";
import { formOf } from "@/server/frozen/form";
import { Kept } from "@/server/frozen/kept";
import { withHashes } from "@/server/frozen/page-policy";
import { encodeResponse } from "@/server/frozen/response";
import config from "../../next.config";

const SLUG = "s".repeat(22);
const FORMS = ["", ".json", ".md", "/og.png", "/badge.svg", "/oembed"];
const long = (text: string) => text.repeat(1000);
const POLICY = (nonce: string) => `default-src 'self'; script-src 'self' 'nonce-${nonce}'; base-uri 'none'`;

/** A web process with the app behind it; `reports` stands for the database that several of them share. */
class Process {
  drawn: string[] = [];
  failures: unknown[] = [];
  /** Of its clock. */
  ms = 0;
  broken = false;
  membersOnly = false;
  /** Until then nothing is drawn. */
  held = Promise.resolve();
  #server: Server | undefined;
  #port = 0;

  constructor(readonly reports: Map<string, string>) {}

  async start(): Promise<void> {
    const frozen = makeFrozen({
      ask: async (slug) => {
        const sha256 = this.reports.get(slug);
        return sha256 === undefined ? null : { sha256, membersOnly: this.membersOnly };
      },
      handler: async (asked, response) => {
        await this.held;
        this.drawn.push(asked.url ?? "");
        if (this.broken) return void asked.socket.destroy();
        const there = this.reports.has(/\/r\/([^/?]+)/.exec(asked.url ?? "")?.[1] ?? "");
        const png = asked.url?.includes("og.png");
        const page = !/json|md|svg|png|oembed/.test(asked.url ?? "");
        const nonce = `nonce${this.drawn.length}`;
        response.writeHead(there ? 200 : 404, {
          "content-type": png ? "image/png" : page ? "text/html; charset=utf-8" : "text/plain",
          "content-security-policy": page ? POLICY(nonce) : "default-src 'none'",
          "x-robots-tag": "noindex",
          "set-cookie": "who=somebody",
        });
        const text = asked.url?.includes("oembed")
          ? JSON.stringify({ html: "", width: 600, height: 310, title: long("title ") })
          : long(`${asked.url} `);
        response.end(page ? `<p>${long("page ")}</p><script nonce="${nonce}">go()</script>` : text);
      },
      host: "rigmark.example",
      failed: (error) => this.failures.push(error),
      now: () => this.ms,
    });
    this.#server = createServer(async (asked, response) => {
      if (!(await frozen(asked, response))) response.writeHead(599).end();
    }).listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async ask(path: string, headers: Record<string, string> = {}, method = "GET") {
    const asking = request({
      host: "127.0.0.1",
      port: this.#port,
      path,
      headers,
      method,
      agent: false,
    }).end();
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) };
  }

  stop = () => this.#server?.close();
}

const running: Process[] = [];
async function process(reports = new Map([[SLUG, "hash-1"]])): Promise<Process> {
  const one = new Process(reports);
  await one.start();
  running.push(one);
  return one;
}
afterEach(() => {
  for (const one of running.splice(0)) one.stop();
});

describe("a public report", () => {
  it("is drawn once a form and language, however many ask at once and whatever else is in the address", async () => {
    const web = await process();
    const paths = FORMS.flatMap((form) => [1, 2, 3].map((n) => `/r/${SLUG}${form}?copy=${n}`));
    const responses = await Promise.all(paths.map((path) => web.ask(path)));
    expect(responses.map((a) => a.status)).toEqual(paths.map(() => 200));
    expect(new Set(web.drawn).size).toBe(6);
    expect(web.drawn).toHaveLength(6);
    for (const { headers } of responses) {
      expect(headers).toMatchObject({ "cache-control": "no-cache", "x-robots-tag": "noindex" });
      expect(headers).not.toHaveProperty("set-cookie");
    }
    await web.ask(`/r/${SLUG}`, { "accept-language": "zh-CN,zh;q=0.9" });
    await web.ask(`/r/${SLUG}?lang=zh`);
    expect(web.drawn.slice(6)).toEqual([`/r/${SLUG}?lang=zh`]);
  });

  it("travels compressed to who takes that, and not at all to who has it", async () => {
    const web = await process();
    const path = `/r/${SLUG}.md`;
    const plain = await web.ask(path);
    const zipped = await web.ask(path, { "accept-encoding": "gzip, br;q=0" });
    const br = await web.ask(path, { "accept-encoding": "gzip, br" });
    expect(gunzipSync(zipped.body)).toEqual(plain.body);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(new Set([plain, zipped, br].map((a) => a.headers.etag)).size).toBe(3);
    expect(plain.headers.vary).toBe("Accept-Encoding");
    for (const tag of [br.headers.etag ?? "", `"other", W/${plain.headers.etag}`]) {
      const again = await web.ask(path, { "if-none-match": tag, "accept-encoding": "br" });
      expect([again.status, again.body.length]).toEqual([304, 0]);
    }
    expect((await web.ask(path, { "if-none-match": '"other"' })).status).toBe(200);
    const head = await web.ask(path, {}, "HEAD");
    expect([head.status, head.body.length, head.headers["content-length"]]).toEqual([
      200,
      0,
      String(plain.body.length),
    ]);
    expect((await web.ask(`/r/${SLUG}/og.png`, { "accept-encoding": "br" })).headers).not.toHaveProperty(
      "content-encoding",
    );
  });

  it("is gone in every form and on every process within a second of being revoked", async () => {
    const first = await process();
    const second = await process(first.reports);
    const statuses = () =>
      Promise.all(
        [first, second].flatMap((web) =>
          FORMS.map(async (form) => (await web.ask(`/r/${SLUG}${form}`, { "if-none-match": "*" })).status),
        ),
      );
    await statuses();
    expect(new Set(await statuses())).toEqual(new Set([304]));
    first.reports.delete(SLUG);
    for (const web of [first, second]) web.ms += 900;
    expect(new Set(await statuses())).toEqual(new Set([404]));
    // What is not there looks alike, and is drawn once for all.
    const drawn = first.drawn.length;
    const other = await first.ask(`/r/${"x".repeat(22)}.md`);
    expect(other.body).toEqual((await first.ask(`/r/${SLUG}.md`)).body);
    expect(first.drawn).toHaveLength(drawn);
  });

  it("is in a frame and as oEmbed what it is elsewhere, and gone as soon", async () => {
    const web = await process();
    const pasted = encodeURIComponent(`https://rigmark.example/r/${SLUG}?lang=zh`);
    const oembed = `/oembed?url=${pasted}&format=json`;
    const paths = [`/embed/r/${SLUG}`, oembed];
    const statuses = async () => (await Promise.all(paths.map((path) => web.ask(path)))).map((r) => r.status);
    expect(await statuses()).toEqual([200, 200]);
    expect(await statuses()).toEqual([200, 200]);
    const widthAt = async (query: string) =>
      JSON.parse(String((await web.ask(`${oembed}${query}`)).body)).width;
    const queries = ["", "&maxwidth=500", "&maxwidth=501&maxheight=9", "&maxwidth=0", "&maxwidth=x"];
    expect(await Promise.all(queries.map(widthAt))).toEqual([600, 500, 501, 600, 600]);
    expect([...web.drawn].sort()).toEqual([`/embed/r/${SLUG}?lang=en`, `/r/${SLUG}/oembed?lang=zh`]);
    web.reports.delete(SLUG);
    web.ms += 900;
    expect(await statuses()).toEqual([404, 404]);
  });

  it("that becomes private is gone for strangers; the app itself finds out who is a member, and nothing is kept", async () => {
    const web = await process();
    const status = async (form: string, cookie = "theme=dark") =>
      (await web.ask(`/r/${SLUG}${form}`, { cookie })).status;
    for (const form of FORMS) expect(await status(form)).toBe(200);
    web.membersOnly = true;
    web.ms += 900;
    for (const form of FORMS) expect(await status(form)).toBe(404);
    const drawn = web.drawn.length;
    for (const form of FORMS) expect(await status(form, "better-auth.session_token=x")).toBe(599);
    expect(web.drawn).toHaveLength(drawn);
  });

  it("that is revoked while it is drawn is not shown", async () => {
    const web = await process();
    const { reports } = web;
    const asking = web.ask(`/r/${SLUG}.json`);
    const seen = reports.get.bind(reports);
    reports.get = (slug) => {
      const hash = seen(slug);
      web.ms += 900;
      reports.delete(slug);
      return hash;
    };
    expect((await asking).status).toBe(404);
  });

  it("is answered by the app itself where nothing can be kept of it", async () => {
    const web = await process();
    web.broken = true;
    expect((await web.ask(`/r/${SLUG}`)).status).toBe(599);
    expect(web.failures).toHaveLength(1);
    web.broken = false;
    expect((await web.ask(`/r/${SLUG}`)).status).toBe(200);
    expect((await web.ask(`/r/${SLUG}`, {}, "POST")).status).toBe(599);
    expect((await web.ask(`/r/${SLUG}/trials`)).status).toBe(599);
  });

  it("has 64 others before it at most: whoever comes then is asked to come again", async () => {
    const slugs = Array.from({ length: 65 }, (_, n) => String(n).padStart(22, "s"));
    const web = await process(new Map(slugs.map((slug) => [slug, `hash of ${slug}`])));
    let release = (): void => undefined;
    web.held = new Promise((resolve) => {
      release = resolve;
    });
    const asked = slugs.map((slug) => web.ask(`/r/${slug}.md`));
    const refused = await Promise.race(asked);
    expect(refused).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
    expect(String(refused.body)).toMatch(/^Too many reports .*\.\n$/);
    release();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(64);
    expect(web.failures).toEqual([]);
  });

  it("has no nonce as a page; its policy has the hash of each of its scripts", async () => {
    const { headers, body } = await (await process()).ask(`/r/${SLUG}`);
    const hash = createHash("sha256").update("go()").digest("base64");
    expect(headers["content-security-policy"]).toBe(
      `default-src 'self'; script-src 'self' 'sha256-${hash}'; base-uri 'none'`,
    );
    expect(body.toString()).toMatch(/<script>go\(\)<\/script>$/);
    expect(headers.vary).toBe("Accept-Encoding, Accept-Language");
  });
});

describe("scripts of a page", () => {
  it("that follow each other become one; those with a source or a name stay", () => {
    const html = [
      '<script nonce="N" src="/a.js" async=""></script><script nonce="N">one()</script><script nonce="N">two()</script>',
      '<p>between</p><script nonce="N" id="x">three()</script><script nonce="N">self.n="N"</script>',
    ].join("");
    const made = withHashes(html, POLICY("N"));
    expect(made.html).toBe(
      '<script src="/a.js" async=""></script><script>one();\ntwo()</script><p>between</p><script id="x">three()</script><script>self.n=""</script>',
    );
    expect(made.policy.match(/'sha256-/g)).toHaveLength(3);
    expect(withHashes("<p>plain</p>", "default-src 'none'")).toEqual({
      html: "<p>plain</p>",
      policy: "default-src 'none'",
    });
  });
});

describe("an address", () => {
  it.each([
    [`/r/${SLUG}`, "page", true],
    [`/r/${SLUG}?lang=zh`, "page", false],
    [`/r/${SLUG}.json?x=1`, "json", false],
    [`/r/${SLUG}/json`, "json", false],
    [`/r/${SLUG}.md`, "md", false],
    [`/r/${SLUG}/badge.svg`, "badge.svg", false],
    ["/r/nope/og.png", "og.png", false],
    [`/embed/r/${SLUG}`, "embed", true],
    [`/embed/r/${SLUG}?lang=en`, "embed", false],
    [`/oembed?url=${encodeURIComponent(`https://rigmark.example/r/${SLUG}`)}`, "oembed", false],
  ])("%s is of a form", (path, form, negotiated) => {
    expect(formOf(path, undefined)).toMatchObject({ form, negotiated });
  });
  it("says the language, and only a page is asked for by a browser that has one", () => {
    const asked = (form: string, query = "") => formOf(`/r/${SLUG}${form}${query}`, "zh-CN,zh")?.language;
    expect(["", ".md", "/badge.svg", "/og.png", ".json"].map((form) => asked(form))).toEqual([
      "zh",
      "en",
      "en",
      "en",
      "en",
    ]);
    expect([".md", "/badge.svg", "/og.png", ".json"].map((form) => asked(form, "?lang=zh"))).toEqual([
      "zh",
      "zh",
      "zh",
      "en",
    ]);
  });
  it.each([
    "/r/",
    "/r",
    "/reports",
    `/r/${SLUG}/`,
    `/r/${SLUG}/x`,
    "/",
    "http://x/r/y",
    "/oembed?url=x",
    "/embed/r/",
  ])("%s is of none", (path) => {
    expect(formOf(path, undefined)).toBeNull();
  });
});

describe("what is kept", () => {
  it("is no part of a larger buffer, which would be kept with it", async () => {
    const body = Buffer.from(long("ten letters "));
    const { bodies, bytes } = await encodeResponse({
      status: 200,
      headers: { "content-type": "text/plain" },
      body,
    });
    expect(gunzipSync(bodies.gzip ?? "")).toEqual(body);
    const held = Object.values(bodies).flatMap((part) => part?.buffer.byteLength ?? []);
    expect(held.reduce((sum, n) => sum + n, 0)).toBe(bytes);
  });

  it("has a limit: what was not asked for the longest goes, and what is larger than all is not kept", async () => {
    const kept = new Kept<{ bytes: number }>(100);
    let made = 0;
    const get = (key: string, bytes = 40) => kept.get(key, async () => ({ bytes, n: ++made }));
    await get("a");
    await get("b");
    await get("a");
    await get("c");
    expect(kept.bytes).toBe(80);
    await get("a");
    expect(made).toBe(3);
    await get("b");
    expect(made).toBe(4);
    await get("huge", 101);
    await get("huge", 101);
    expect([made, kept.bytes]).toEqual([6, 80]);
  });

  it("is made one at a time, and again after it failed", async () => {
    const kept = new Kept<{ bytes: number }>(100);
    let at_once = 0;
    let most = 0;
    const make = async () => {
      at_once += 1;
      most = Math.max(most, at_once);
      await new Promise((resolve) => setImmediate(resolve));
      at_once -= 1;
      return { bytes: 1 };
    };
    await Promise.all(["a", "b", "c"].map((key) => kept.get(key, make)));
    expect(most).toBe(1);
    const fail = () => Promise.reject(new Error("no"));
    await expect(kept.get("d", fail)).rejects.toThrow("no");
    expect(await kept.get("d", make)).toEqual({ bytes: 1 });
  });

  it("is not made once all have gone that waited for it", async () => {
    const kept = new Kept<{ bytes: number }>(100);
    const made: string[] = [];
    const get = (key: string, asker?: AbortSignal) =>
      kept.get(key, async () => ({ bytes: made.push(key) }), undefined, asker);
    const leaving = new AbortController();
    const first = get("a");
    const left = get("b", leaving.signal);
    const shared = [get("c", leaving.signal), get("c")];
    leaving.abort();
    await expect(left).rejects.toThrow("Nobody waits");
    await Promise.all([first, ...shared]);
    expect(made).toEqual(["a", "c"]);
  });
});

it("pictures in other sizes are not made: the route would keep those of revoked reports", () => {
  expect(config.images).toEqual({ unoptimized: true });
});

it("no page may stand in a frame but the one that is made for it", async () => {
  const rules = (await config.headers?.()) ?? [];
  const frameless = rules.filter(({ headers }) => headers.some(({ key }) => key === "X-Frame-Options"));
  expect(frameless.map(({ source }) => source)).toEqual(["/((?!embed/r/).*)"]);
  const policyOf = (path: string) =>
    proxy(new NextRequest(`https://rigmark.example${path}`)).headers.get("content-security-policy");
  expect(policyOf(`/embed/r/${SLUG}`)).toContain("frame-ancestors *");
  for (const path of ["/", `/r/${SLUG}`, "/w/ada/runs", "/embed", "/embedded/r/x"])
    expect(policyOf(path), path).toContain("frame-ancestors 'none'");
});
