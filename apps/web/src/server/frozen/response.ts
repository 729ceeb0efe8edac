import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { bare } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import { type FrameLimits, fitOembed } from "@rigmark/results/embed";
import type { Language } from "@rigmark/results/language";
import type { Drawn } from "./draw";
import { withHashes } from "./page-policy";

/** A response with its bytes as they travel. */
export interface EncodedResponse {
  status: number;
  headers: Record<string, string>;
  etag: string;
  bodies: { plain: Buffer; gzip: Buffer | null; br: Buffer | null };
  bytes: number;
}

/** Headers that belong to one connection or to one request of it, and those that are set here. */
const DROPPED =
  /^(connection|keep-alive|date|transfer-encoding|content-length|content-encoding|etag|vary|cache-control|set-cookie|x-next.*|x-powered-by)$/;
/** Below this, compressing saves no packet. */
const SMALL = 1024;

/** Makes what was drawn ready for many readers. */
export async function encodeResponse({ status, headers: drawn, body }: Drawn): Promise<EncodedResponse> {
  const headers = Object.fromEntries(Object.entries(drawn).filter(([name]) => !DROPPED.test(name)));
  if (headers.link) headers.link = headers.link.replace(/ nonce="[^"]*";?/g, "");
  let plain = body;
  const policy = headers["content-security-policy"];
  if (policy && headers["content-type"]?.startsWith("text/html")) {
    const page = withHashes(body.toString("utf8"), policy);
    plain = Buffer.from(page.html);
    headers["content-security-policy"] = page.policy;
  }
  const text = !headers["content-type"]?.startsWith("image/png") && plain.length >= SMALL;
  const [zipped, br] = text ? await Promise.all([toGzip(plain), toBrotli(plain)]) : [null, null];
  const bodies = { plain: own(plain), gzip: zipped && own(zipped), br: br && own(br) };
  return {
    status,
    headers,
    etag: createHash("sha256").update(plain).digest("base64url").slice(0, 22),
    bodies,
    bytes: plain.length + (zipped?.length ?? 0) + (br?.length ?? 0),
  };
}

/** By itself: a small buffer is a part of a larger one, which would be kept with it. */
const own = (body: Buffer): Buffer => Buffer.from(new Uint8Array(body).buffer);

/** An oEmbed no larger than was asked for: about a KiB of JSON, so it is made for each who asks. */
export async function fitted(found: EncodedResponse, limits: FrameLimits = {}): Promise<EncodedResponse> {
  const { status, headers, bodies } = found;
  if (status !== 200 || (limits.width ?? limits.height) === undefined) return found;
  return encodeResponse({ status, headers, body: Buffer.from(fitOembed(bodies.plain.toString(), limits)) });
}

const gzipped = promisify(gzip);
const toGzip = (body: Buffer): Promise<Buffer> => gzipped(body, { level: 7 });
const brotlied = promisify<Buffer, object, Buffer>(brotliCompress);
const toBrotli = (body: Buffer): Promise<Buffer> =>
  brotlied(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 6,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });

/** Sends it in the way that was asked for; 304 to whoever has it. A copy is asked about each time, so that a revoked report goes. */
export function send(
  asked: IncomingMessage,
  response: ServerResponse,
  encoded: EncodedResponse,
  negotiated: boolean,
): void {
  const { bodies } = encoded;
  const accepted = asked.headers["accept-encoding"];
  const coding =
    bodies.br && takes(accepted, "br") ? "br" : bodies.gzip && takes(accepted, "gzip") ? "gzip" : null;
  const vary = [bodies.gzip && "Accept-Encoding", negotiated && "Accept-Language"].filter(Boolean);
  const headers: Record<string, string | number> = {
    ...encoded.headers,
    "cache-control": "no-cache",
    etag: `"${encoded.etag}${coding ? `-${coding}` : ""}"`,
  };
  if (vary.length > 0) headers.vary = vary.join(", ");
  if (encoded.status === 200 && has(asked.headers["if-none-match"], encoded.etag)) {
    delete headers["content-type"];
    response.writeHead(304, headers).end();
    return;
  }
  const body = coding ? (bodies[coding] ?? bodies.plain) : bodies.plain;
  if (coding) headers["content-encoding"] = coding;
  headers["content-length"] = body.length;
  response.writeHead(encoded.status, headers);
  response.end(asked.method === "HEAD" ? undefined : body);
}

const BUSY = "Too many reports are being drawn right now; try again in a few seconds.";
const AGAIN_IN_S = 5;

/** To whoever would have to wait too long. */
export function sendBusy(response: ServerResponse, language: Language): void {
  response.writeHead(503, {
    "retry-after": `${AGAIN_IN_S}`,
    "cache-control": "no-store",
    "content-type": "text/plain; charset=utf-8",
  });
  response.end(`${bare(wordsIn(language).phrase(BUSY))}\n`);
}

/** Whether a coding is named, and not with a quality of 0. */
function takes(accepted: string | string[] | undefined, coding: string): boolean {
  return `${accepted ?? ""}`.split(",").some((part) => {
    const [name, ...parameters] = part.trim().toLowerCase().split(";");
    return name === coding && !parameters.some((p) => /^\s*q=0(\.0*)?\s*$/.test(p));
  });
}

/** A copy in one coding is as good as in another: what is compared is what was compressed. */
const has = (said: string | undefined, etag: string): boolean =>
  (said ?? "").split(",").some((one) => {
    const tag = one.trim().replace(/^W\//, "");
    return tag === "*" || tag === `"${etag}"` || tag === `"${etag}-br"` || tag === `"${etag}-gzip"`;
  });
