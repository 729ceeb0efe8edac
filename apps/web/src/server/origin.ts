import { env } from "@/env";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Origins whose pages may act for a signed-in person: the public address, and this machine under its other names when
 * the request itself came by one of them.
 */
export function trustedOrigins(host: string | null): string[] {
  const trusted = [env().PUBLIC_URL];
  const match = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.exec(host ?? "");
  if (match) for (const name of LOOPBACK) trusted.push(`http://${name}${match[2] ?? ""}`);
  return trusted;
}

/** A browser names the page that sends a write; anybody else's page is refused. Other programs name none. */
export function fromTrustedPage(headers: Headers): boolean {
  const origin = headers.get("origin");
  return origin === null || trustedOrigins(headers.get("host")).includes(origin);
}
