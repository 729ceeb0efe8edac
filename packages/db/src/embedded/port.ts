import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below 32768, where Linux's ephemeral ports begin (`net.ipv4.ip_local_port_range`); macOS's begin at 49152. The system
 * gives a port from there to whoever connects next, which between looking and listening is often somebody else.
 */
const FROM = 10_240;
const BELOW = 32_768;
const TRIES = 50;

/** `wanted` when nothing listens there, else any port of the loopback address that is free now. */
export async function freePort(wanted?: number): Promise<number> {
  if (wanted && (await isFree(wanted))) return wanted;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FROM, BELOW);
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${TRIES} ports from ${FROM} to ${BELOW - 1} is free: stop what listens there.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });
}
