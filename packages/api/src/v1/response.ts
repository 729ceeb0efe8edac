import { createHash } from "node:crypto";
import {
  type Allowance,
  authenticateToken,
  type Ctx,
  claimRequest,
  countRequest,
  type Domain,
  forgetRequest,
  keepResponse,
} from "@rigmark/domain";
import { readBody } from "../body";
import { document } from "./document";
import { routesAt } from "./match";
import { ProblemError, problemOf } from "./problem";
import { jsonOf, parsed, textOf } from "./read";
import { Reply, type Route } from "./route";

const BODY_BYTES = 128 * 1024;
const URL_CHARS = 8 * 1024;
export const DOCUMENT_PATH = "/api/v1/openapi.json";

export interface Outside {
  domain: Domain;
  /** Address of whoever asks; null when unknown. */
  address: string | null;
  /** Origin that links are made of. */
  publicUrl: string;
  /** What the caller may know of an error that nobody threw; writes the log. */
  explain(error: unknown): { status: number; message: string };
}

/** The public API: finds the route, checks what comes in, calls it, and shapes the response. */
export async function answerApi(request: Request, outside: Outside): Promise<Response> {
  const limits = new Headers();
  let response: Response;
  try {
    response = await answer(request, outside, limits);
  } catch (error) {
    response = problemOf(error, outside.publicUrl, outside.explain);
  }
  for (const [name, value] of limits) if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}

async function answer(request: Request, outside: Outside, limits: Headers): Promise<Response> {
  if (request.url.length > URL_CHARS)
    throw new ProblemError("too_large", `The address is longer than ${URL_CHARS} characters.`);
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === DOCUMENT_PATH && request.method === "GET")
    return tagged(request, JSON.stringify(document(outside.publicUrl)), "public, max-age=300");
  const { route, params } = found(request.method, pathname);
  const ctx = await contextOf(request, outside, route, limits);
  const bytes =
    request.method === "POST" || request.method === "PUT"
      ? await readBody(request, route.bodyBytes ?? BODY_BYTES)
      : Buffer.alloc(0);
  const text = route.bytes === undefined ? textOf(bytes) : "";
  const asked = {
    ctx,
    address: outside.address,
    params: route.params && parsed(route.params, params, "address"),
    query: route.query && parsed(route.query, queryOf(searchParams), "query"),
    body: route.body && parsed(route.body, jsonOf(text), "body"),
    headers: route.headers && parsed(route.headers, Object.fromEntries(request.headers), "header"),
    bytes,
  };
  const call = async (): Promise<Reply> => {
    const made = await route.handle(asked);
    return made instanceof Reply ? made : new Reply(route.status, made);
  };
  const key = request.headers.get("idempotency-key");
  if (request.method === "POST" && key !== null && route.scope !== null)
    return once(ctx, key, `${request.method} ${pathname}\n${text}`, call);
  const { status, body } = await call();
  if (status === 204) return new Response(null, { status, headers: { "cache-control": "no-store" } });
  const json = JSON.stringify(body);
  return request.method === "GET" ? tagged(request, json) : sent(status, json);
}

function found(method: string, path: string) {
  const here = routesAt(path);
  const match = here.find(({ route }) => route.method === method);
  if (match) return match;
  if (here.length === 0)
    throw new ProblemError("not_found", `There is no ${path.slice(0, 200)}; /docs/api lists every path.`);
  const allow = here.map(({ route }) => route.method).join(", ");
  throw new ProblemError("method_not_allowed", `Use ${allow} here.`, {}, { allow });
}

/** Who asks, by the token; counts the request. */
async function contextOf(request: Request, outside: Outside, route: Route, limits: Headers): Promise<Ctx> {
  const nobody = outside.domain.as({ kind: "anonymous" }, request.signal);
  if (route.scope === null) return nobody;
  const token = /^Bearer +(\S{1,200})$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
  const actor = await authenticateToken({ ctx: nobody, input: { token } });
  const ctx = outside.domain.as(actor, request.signal);
  const allowance = await countRequest({ ctx });
  if (allowance) limit(allowance, limits);
  return ctx;
}

/** As the IETF's draft on RateLimit header fields has them. */
function limit(allowance: Allowance, headers: Headers): void {
  headers.set("ratelimit-policy", `"token";q=${allowance.limit};w=${allowance.window_s}`);
  headers.set("ratelimit", `"token";r=${allowance.remaining};t=${allowance.reset_s}`);
  if (allowance.allowed) return;
  throw new ProblemError(
    "too_many",
    `This token made more than ${allowance.limit} requests within ${allowance.window_s} s; wait ${allowance.reset_s} s.`,
    {},
    { "retry-after": String(allowance.reset_s) },
  );
}

/** One value a name; of a name that was given twice, the list, which no schema takes. */
function queryOf(search: URLSearchParams): Record<string, string | string[]> {
  const names = [...new Set(search.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = search.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** A request with an Idempotency-Key happens once; the same again gets the same response. */
async function once(ctx: Ctx, key: string, request: string, call: () => Promise<Reply>): Promise<Response> {
  if (!/^[!-~]{1,200}$/.test(key))
    throw new ProblemError("invalid", "An Idempotency-Key has 1 to 200 visible ASCII characters.");
  const claimed = await claimRequest({ ctx, input: { key, request } });
  switch (claimed.state) {
    case "answered":
      return sent(claimed.status, claimed.body, { "idempotency-replayed": "true" });
    case "mismatch":
      throw new ProblemError(
        "idempotency_mismatch",
        "This Idempotency-Key was used within 24 hours for another request; use a new one.",
      );
    case "busy":
      throw new ProblemError(
        "conflict",
        "A request with this Idempotency-Key is still being processed; try again in a moment.",
        {},
        { "retry-after": "2" },
      );
    case "unknown":
      throw new ProblemError(
        "conflict",
        "A request with this Idempotency-Key was cut off. Check whether it took effect, then use a new key.",
      );
    case "new":
      break;
  }
  const reply = await call().catch(async (error: unknown) => {
    await forgetRequest({ ctx, input: { key } }).catch(() => undefined);
    throw error;
  });
  const json = JSON.stringify(reply.body ?? null);
  await keepResponse({ ctx, input: { key, status: reply.status, body: json } });
  return sent(reply.status, json);
}

function sent(status: number, json: string, headers: Record<string, string> = {}): Response {
  return new Response(json, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}

/** With an ETag; 304 when the caller has the very same. */
function tagged(request: Request, json: string, caching = "private, no-cache"): Response {
  const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 27)}"`;
  const headers = { etag, "cache-control": caching };
  const known = (request.headers.get("if-none-match") ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(etag) || known.includes("*")) return new Response(null, { status: 304, headers });
  return new Response(json, { status: 200, headers: { ...headers, "content-type": "application/json" } });
}
