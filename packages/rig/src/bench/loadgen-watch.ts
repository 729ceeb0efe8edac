import { spawn } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import { childEnv } from "../exec";
import { say } from "../say";
import type { ToolResult } from "./loadgen-run";

const Watched = z.object({
  requests: z.number(),
  dropped: z.number(),
  p99_us: z.number().nullable(),
  left_p99_us: z.number().nullable(),
});

/** Watches the loopback while `load` runs. Null where packets cannot be watched: that takes root. */
export async function observe(
  port: number,
  rate_per_s: number,
  load: () => Promise<ToolResult>,
): Promise<{ result: ToolResult; p99_us: number; left_p99_us: number | null } | null> {
  const script = join(import.meta.dirname, "lo-watch.py");
  const watcher = spawn("python3", [script, String(port), String(rate_per_s)], {
    env: childEnv(),
    stdio: ["pipe", "pipe", "ignore"],
  });
  let words = "";
  const closed = new Promise((resolve) => watcher.once("close", resolve));
  const ready = new Promise<boolean>((resolve) => {
    watcher.stdout.setEncoding("utf8").on("data", (part: string) => {
      words += part;
      if (words.startsWith("ready")) resolve(true);
    });
    watcher.once("close", () => resolve(false));
    watcher.once("error", () => resolve(false));
  });
  if (!(await ready)) {
    say("loadgen: the loopback's packets cannot be watched here (python3 and root are needed)");
    return null;
  }
  let result: ToolResult;
  try {
    result = await load();
  } finally {
    watcher.stdin.end();
  }
  await closed;
  const watched = Watched.parse(JSON.parse(words.trim().split("\n").at(-1) ?? ""));
  const whole = watched.dropped === 0 && watched.requests >= result.requests * 0.999;
  if (!whole || watched.p99_us === null) {
    say(
      `loadgen: ${watched.requests} of ${result.requests} requests were seen on the loopback, so nothing is compared`,
    );
    return null;
  }
  return { result, p99_us: watched.p99_us, left_p99_us: watched.left_p99_us };
}
