import { randomBytes } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { clientOf, parseNetworks, plainAddress } from "@rigmark/domain/networks";
import { env } from "@/env";
import { isLoopbackHost } from "./origin";

// Next may load this module once a route.
const shared = globalThis as typeof globalThis & { __rigmarkPeer?: string };

/**
 * Notes with each request which address its connection has. Next hands routes no socket, so that goes in a header; its
 * name is drawn at each start, so that no client can send it.
 */
export function notePeers(): void {
  if (shared.__rigmarkPeer) return;
  const name = `x-peer-${randomBytes(16).toString("hex")}`;
  shared.__rigmarkPeer = name;
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[name] = request.socket.remoteAddress ?? "";
  });
}

const peerOf = (headers: Headers): string | null =>
  (shared.__rigmarkPeer && headers.get(shared.__rigmarkPeer)) || null;

/** Address of whoever asks; null when unknown. */
export const clientAddress = (headers: Headers): string | null =>
  clientOf(peerOf(headers), headers.get("x-forwarded-for"), env().TRUSTED_PROXIES);

/** Whether who asks is at this machine itself. */
export const atThisMachine = (headers: Headers): boolean => isFromHere(peerOf(headers), headers);

const LOOPBACK = parseNetworks("127.0.0.0/8,::1");
/** What a proxy adds. Next itself puts the peer's address into X-Forwarded-For, so that one is read. */
const OF_PROXIES = ["forwarded", "via", "x-real-ip"];

/** A proxy on this machine connects from loopback too, so nothing may say that there is one. */
export function isFromHere(peer: string | null, headers: Headers): boolean {
  const on = [peer ?? "", ...(headers.get("x-forwarded-for")?.split(",") ?? [])].map(plainAddress);
  return (
    on.every((address) => address !== null && LOOPBACK?.has(address)) &&
    isLoopbackHost(headers.get("host")) &&
    !OF_PROXIES.some((name) => headers.has(name))
  );
}
