import { setTimeout as sleep } from "node:timers/promises";
import { Disturbed } from "./attempt";
import { childrenOf, isRunning, type Process } from "./procfs";

const PATIENCE_MS = 120_000;

/** Waits until an agent's `ab` of this duration runs, and names it and the server that it loads. */
export async function measured(
  agent: number,
  duration_s: number,
): Promise<{ tool: Process; server: Process }> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(50)) {
    if (!isRunning(agent)) break;
    const children = childrenOf(agent);
    const tool = children.find(
      ({ argv }) => argv[0]?.endsWith("/ab") && argv[argv.indexOf("-t") + 1] === String(duration_s),
    );
    const server = children.find(({ argv }) => argv.includes("--root") && argv.includes("--port"));
    if (tool && server) return { tool, server };
  }
  throw new Disturbed(`The agent did not begin to measure within ${PATIENCE_MS / 1000} s.`);
}
