import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@rigmark/db/embedded";
import { createTestDatabase, startCluster } from "@rigmark/db/testing";
import { env, inherited, root } from "./env";
import { run } from "./process";

export interface Stack {
  url: string;
  /** A folder for agents' state, mails and logs, removed at the end. */
  dir: string;
  stop(): Promise<void>;
}

/** The real thing on a free port: PostgreSQL, migrations, the production build of the app. */
export async function startStack(): Promise<Stack> {
  const dir = mkdtempSync(join(tmpdir(), "rigmark-e2e-"));
  mkdirSync(join(dir, "state"));
  const cluster = await startCluster();
  const database = await createTestDatabase(cluster.url);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const web = run(
    process.execPath,
    [join(root, "apps/web/server.mjs"), "--port", String(port), "--hostname", "127.0.0.1"],
    {
      cwd: join(root, "apps/web"),
      log: join(dir, "web.log"),
      env: {
        ...inherited,
        NODE_ENV: "production",
        DATABASE_URL: database,
        PUBLIC_URL: url,
        PORT: String(port),
        SIGN_UP: "open",
        AUTH_SECRET: randomBytes(32).toString("base64url"),
        STATE_DIR: join(dir, "state"),
        RELEASE_DIR: env.RIGMARK_RELEASE,
      },
    },
  );
  await web.line(/Listening at/);
  const health = await fetch(`${url}/api/health`);
  if (!health.ok) throw new Error(`the app is not healthy: ${await health.text()}\n${web.lines.join("\n")}`);
  return {
    url,
    dir,
    stop: async () => {
      await web.stop();
      await cluster.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
