import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { env, inherited } from "./env";
import { exec } from "./exec";
import { whenInterrupted } from "./interrupt";
import { paths, useInstallation } from "./paths";
import { CommandError, say } from "./say";
import { readSecrets } from "./state";
import { startDatabase } from "./up/database";
import { countHosts, type Home, issueKey, openHome, signInUrl } from "./up/home";
import { WEB_ALLOCATOR, webArgs } from "./up/web";

/** The web app in a container: migrations, the link for the first owner, a key for the agent beside it, then the app. */
export async function run(): Promise<number> {
  if (!env.DATABASE_URL)
    throw new CommandError(
      "DATABASE_URL is not set: set it, or DATABASE_URL_FILE. A container has no database of its own.",
      { exit: 2 },
    );
  if (env.STATE_DIR) useInstallation(env.STATE_DIR);
  const port = env.PORT ?? "4270";
  const publicUrl = (env.PUBLIC_URL ?? `http://127.0.0.1:${port}`).replace(/\/+$/, "");
  const databaseUrl = await startDatabase();
  const home = await openHome(databaseUrl, publicUrl);
  say(`sign in: ${await signInUrl(home)}`);
  if (env.ENROLL_KEY_FILE) await leaveKey(home, env.ENROLL_KEY_FILE);
  await home.close();
  const app = exec(process.execPath, webArgs(port, "0.0.0.0"), {
    cwd: paths.web,
    env: {
      ...WEB_ALLOCATOR,
      NODE_ENV: "production",
      PUBLIC_URL: publicUrl,
      PORT: port,
      // What stands in a file is read there again.
      ...(inherited.AUTH_SECRET_FILE ? {} : { AUTH_SECRET: env.AUTH_SECRET ?? readSecrets().auth_secret }),
    },
  });
  // It is told with us to end, and finishes what it is sending.
  whenInterrupted(() => app.then(() => undefined));
  return (await app).code;
}

/** Whole or not at all, for whoever shares the volume: another container under another user. */
async function leaveKey(home: Home, file: string): Promise<void> {
  if ((await countHosts(home)) > 0) return;
  // Several replicas may share the volume.
  const draft = `${file}.${hostname()}`;
  writeFileSync(draft, await issueKey(home));
  chmodSync(draft, 0o644);
  renameSync(draft, file);
}
