import { BlockList, isIP } from "node:net";

/** Networks in the order that they were given, as TRUSTED_PROXIES has them. */
export interface Networks {
  has(address: string): boolean;
}

export const NETWORKS_WORDS =
  "must be a list of networks such as 10.0.0.0/8,127.0.0.1: the addresses that your proxies connect from. A number of proxies is no longer accepted, because whoever reaches the app directly could exploit it";

export const WEBHOOK_NETWORKS_WORDS =
  "must be a list of networks such as 10.0.0.0/8,fd00::/8: private ones that webhooks may reach";

/** Reads `10.0.0.0/8, 127.0.0.1, fd00::/8`. Null when anything in it is no network, or is everybody (`/0`). */
export function parseNetworks(text: string): Networks | null {
  const list = new BlockList();
  for (const part of text.split(",").map((p) => p.trim())) {
    if (part === "") continue;
    const [name = "", bits, ...more] = part.split("/");
    const address = plainAddress(name);
    if (isIP(name) === 0 || address === null || more.length > 0) return null;
    const mapped = isIP(name) === 6 && isIP(address) === 4;
    const width = isIP(address) === 4 ? 32 : 128;
    if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return null;
    const prefix = bits === undefined ? width : Number(bits) - (mapped ? 96 : 0);
    if (prefix < 1 || prefix > width) return null;
    list.addSubnet(address, prefix, width === 32 ? "ipv4" : "ipv6");
  }
  return { has: (address) => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4") };
}
export const isNetworks = (text: string): boolean => parseNetworks(text) !== null;

/**
 * One way to write each address: without port, brackets or zone, IPv6 shortened, and an IPv4 address that came mapped
 * into IPv6 as itself. Null when it is none.
 */
export function plainAddress(text: string): string | null {
  const given = text.trim();
  const bare = /^\[([^\]]+)\](:\d{1,5})?$/.exec(given)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(given)?.[1] ?? given;
  const address = bare.split("%")[0] ?? "";
  if (isIP(address) === 4) return address;
  if (isIP(address) !== 6) return null;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  return [high, low]
    .flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255])
    .join(".");
}

/** What tries are counted by: of IPv6 the /64, which is one customer's, as better-auth counts them too. */
export function countedAs(address: string): string {
  if (isIP(address) !== 6) return address;
  const [left = [], right = []] = address
    .split("::")
    .map((part) => part.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}

/**
 * Who asks, given who is connected and what `X-Forwarded-For` says. The header is anybody's to write, so it is read only
 * when the peer is a trusted proxy, from the right, up to the first address that is not one. What cannot be read ends it:
 * the last proxy that is known then stands for everybody behind it.
 */
export function clientOf(peer: string | null, forwarded: string | null, trusted: Networks): string | null {
  let client = peer === null ? null : plainAddress(peer);
  if (client === null) return null;
  for (const said of (forwarded ?? "").split(",").reverse()) {
    if (!trusted.has(client)) return client;
    const next = plainAddress(said);
    if (next === null) return client;
    client = next;
  }
  return client;
}
