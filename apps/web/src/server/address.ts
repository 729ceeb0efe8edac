import { randomBytes } from "node:crypto";
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { clientOf } from "@rigmark/domain/networks";
import { env } from "@/env";

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

/** Address of whoever asks; null when unknown. */
export function clientAddress(headers: Headers): string | null {
  const peer = (shared.__rigmarkPeer && headers.get(shared.__rigmarkPeer)) || null;
  return clientOf(peer, headers.get("x-forwarded-for"), env().TRUSTED_PROXIES);
}
