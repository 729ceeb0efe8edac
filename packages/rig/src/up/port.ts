import { createServer } from "node:net";
import { CommandError } from "../say";

const USUAL = 4270;
const TRIES = 50;

/** "free", or why nothing of ours can listen there. */
function probe(port: number, address: string): Promise<"free" | "taken" | "not ours" | "no such address"> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", ({ code }: NodeJS.ErrnoException) => {
      resolve(
        code === "EACCES"
          ? "not ours"
          : code === "EADDRNOTAVAIL" || code === "ENOTFOUND"
            ? "no such address"
            : "taken",
      );
    });
    server.listen({ port, host: address, exclusive: true }, () => server.close(() => resolve("free")));
  });
}

/**
 * A port that was asked for is used or refused, never replaced. Otherwise the remembered one, so that links stay
 * good, and only a first start looks further. `ours` is the port that our own app has now and is about to leave.
 */
export async function choosePort(
  asked: number | null,
  remembered: number | null,
  address: string,
  { ours, usual = USUAL }: { ours?: number | undefined; usual?: number } = {},
): Promise<number> {
  const wanted = asked ?? remembered;
  if (wanted !== null) {
    const found = await probe(wanted, address);
    if (found === "free" || (found === "taken" && wanted === ours)) return wanted;
    throw new CommandError(refusal(wanted, address, found));
  }
  for (let port = usual; port < usual + TRIES; port += 1) {
    const found = await probe(port, address);
    if (found === "free") return port;
    if (found === "no such address") throw new CommandError(refusal(port, address, found));
  }
  throw new CommandError(
    `the ports ${usual} to ${usual + TRIES - 1} are all taken: choose one with --port N.`,
  );
}

function refusal(port: number, address: string, found: string): string {
  if (found === "no such address")
    return `this machine has no address ${address}: choose another one with --listen ADDRESS.`;
  if (found === "not ours") return `port ${port} is for root only: choose one above 1023 with --port N.`;
  return `port ${port} is taken by another program: choose another one with --port N, or stop that program.`;
}
