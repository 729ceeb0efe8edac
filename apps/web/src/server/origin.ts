import { env } from "@/env";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** This machine by a name of its own, with or without a port. */
const AT_LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
export const isLoopbackHost = (host: string | null): boolean => AT_LOOPBACK.test(host ?? "");

/**
 * Origins whose pages may act for a signed-in person: the public address, and this machine under its other names when
 * the request itself came by one of them.
 */
export function trustedOrigins(host: string | null): string[] {
  const trusted = [env().PUBLIC_URL];
  const match = AT_LOOPBACK.exec(host ?? "");
  if (match) for (const name of LOOPBACK) trusted.push(`http://${name}${match[2] ?? ""}`);
  return trusted;
}

/** A browser names the page that sends a write; anybody else's page is refused. Other programs name none. */
export function fromTrustedPage(headers: Headers): boolean {
  const origin = headers.get("origin");
  return origin === null || trustedOrigins(headers.get("host")).includes(origin);
}
