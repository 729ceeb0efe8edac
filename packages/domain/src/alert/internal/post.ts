import { lookup } from "node:dns/promises";
import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { isPublicAddress } from "../../internal/public-address";
import { type Networks, plainAddress } from "../../networks";
import { TooLate, within } from "./within";

/** From the first look-up of the name to the head of the response. */
const TIMEOUT_MS = 10_000;
const MOST_HEADER_BYTES = 16 * 1024;

interface Post {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** What the operator allows beside public addresses; null: nothing. */
  networks: Networks | null;
}

/** It was not tried, or the network failed. The message is a sentence for the page. */
export class PostError extends Error {}

/**
 * Posts to an address that a person of some workspace chose: the name is looked up once, each of its addresses has to be
 * allowed, and it is connected to one of these, whatever the name is by then. No redirect is followed and no body is read.
 * Returns the status.
 */
export async function post({ url, headers, body, networks }: Post): Promise<number> {
  const target = new URL(url);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await within(TIMEOUT_MS, send(target, headers, body, networks, signal));
  } catch (error) {
    if (error instanceof PostError) throw error;
    throw new PostError(
      error instanceof TooLate || signal.aborted ? "It did not respond within 10 s." : inWords(error),
    );
  }
}

async function send(
  target: URL,
  headers: Record<string, string>,
  body: string,
  networks: Networks | null,
  signal: AbortSignal,
): Promise<number> {
  const addresses = await addressesOf(target.hostname.replace(/^\[|\]$/g, ""));
  const isPlain = target.protocol === "http:";
  for (const { address } of addresses) {
    const plain = plainAddress(address);
    const isListed = plain !== null && (networks?.has(plain) ?? false);
    if (isListed || (!isPlain && isPublicAddress(address))) continue;
    throw new PostError(
      isPlain
        ? "Plain http is for addresses in WEBHOOK_NETWORKS only; use https."
        : "The name resolves to a private address. Ask whoever runs this installation to allow it with WEBHOOK_NETWORKS.",
    );
  }
  return statusOf(target, { headers, signal, lookup: always(addresses) }, body);
}

interface Address {
  address: string;
  family: number;
}

async function addressesOf(host: string): Promise<Address[]> {
  const family = isIP(host);
  return family === 0 ? lookup(host, { all: true }) : [{ address: host, family }];
}

/** A look-up that gives what was checked, and asks nobody again. */
const always =
  (addresses: Address[]): NonNullable<RequestOptions["lookup"]> =>
  (_host, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  };

function statusOf(
  target: URL,
  options: Pick<RequestOptions, "headers" | "signal" | "lookup">,
  body: string,
): Promise<number> {
  const given = { ...options, method: "POST", agent: false as const, maxHeaderSize: MOST_HEADER_BYTES };
  return new Promise((resolve, reject) => {
    const take = (response: IncomingMessage) => {
      response.on("error", () => undefined);
      resolve(response.statusCode ?? 0);
      response.destroy();
    };
    const isPlain = target.protocol === "http:";
    const sent = isPlain ? requestHttp(target, given, take) : requestHttps(target, given, take);
    sent.on("error", reject);
    sent.end(body);
  });
}

const WORDS: Record<string, string> = {
  ENOTFOUND: "Its host name does not exist.",
  EAI_AGAIN: "Its name could not be looked up.",
  ECONNREFUSED: "It refused the connection.",
  ECONNRESET: "It closed the connection without a response.",
};

/** Only the code: what a certificate or a server says about itself is somebody else's text. */
function inWords(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string") return "The connection failed.";
  return WORDS[code] ?? `The connection failed (${code}).`;
}
