import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { buildWeb, webIsBuilt } from "../build/web";
import { env, inherited } from "../env";
import { tailOf } from "../exec";
import type { Place } from "../network/place";
import { paths } from "../paths";
import { CommandError, say } from "../say";
import { isAlive, launch, type Service, stop } from "../services/service";
import { readSecrets, readState, remember } from "../state";
import { choosePort } from "./port";

export interface Web {
  /** Where we reach it. */
  local: string;
  /** What links are made of. */
  publicUrl: string;
  service: Service;
}

const PATIENCE_MS = 60_000;

/**
 * MiB of V8's heap. Where V8 allows itself 2 GiB or more, as on most machines, it lets the heap grow to four times what is
 * alive before it looks for garbage; with this it is 1.4 times. In a container of 1 GiB, V8 takes this limit by itself,
 * and in a smaller one less. Whoever needs more says so in NODE_OPTIONS, which would not count against an argument.
 */
const HEAP_MIB = 512;
const said = inherited.NODE_OPTIONS ?? "";
const limitHeap =
  getHeapStatistics().heap_size_limit > HEAP_MIB * 1024 ** 2 && !/max[-_]old[-_]space[-_]size/.test(said);
/**
 * MiB of each half of the young generation. V8's own choice took up to 90 MB more after a few pages, for no less processor
 * time (282 against 280 ticks for 21 pages, a report of 10 trials among them).
 */
const YOUNG_MIB = 8;
const limitYoung = !/max[-_]semi[-_]space[-_]size/.test(said);

/** What starts the production build, for Node. */
export const webArgs = (port: string, listen: string): string[] => [
  ...(limitHeap ? [`--max-old-space-size=${HEAP_MIB}`] : []),
  ...(limitYoung ? [`--max-semi-space-size=${YOUNG_MIB}`] : []),
  join(paths.web, "server.mjs"),
  ...["--port", port, "--hostname", listen],
];

/** glibc keeps freed memory separately for each arena, and by default Node's threads get several. */
export const WEB_ALLOCATOR = { MALLOC_ARENA_MAX: "2" };

/** Settings of an app of this installation. */
export const webEnv = (web: { databaseUrl: string; publicUrl: string; port: number }) => ({
  ...WEB_ALLOCATOR,
  NODE_ENV: "production",
  DATABASE_URL: web.databaseUrl,
  DATABASE_URL_FILE: undefined,
  PUBLIC_URL: web.publicUrl,
  PORT: String(web.port),
  AUTH_SECRET: readSecrets().auth_secret,
  AUTH_SECRET_FILE: undefined,
  STATE_DIR: paths.state,
  RELEASE_DIR: paths.release,
  // Said, since Next would take it from a developer's apps/web/.env.
  SIGN_UP: env.SIGN_UP ?? "closed",
});

/** The web app, running from a production build of these sources. One that runs already is kept. */
export async function startWeb(databaseUrl: string, asked: Place & { port: number | null }): Promise<Web> {
  const state = readState();
  const { listen } = asked;
  const old = state.web;
  const samePlace = (asked.port ?? state.port) === state.port && listen === state.listen;
  if (old && isAlive(old) && samePlace && state.port !== undefined && webIsBuilt()) {
    const web = describe(state.port, asked, old);
    if (state.web_config === configOf(databaseUrl, web.publicUrl) && (await healthy(web.local))) return web;
  }
  // A place that was asked for is looked at before the app leaves the one that it has.
  const vacant = samePlace
    ? null
    : await choosePort(asked.port, state.port ?? null, listen, {
        ours: isAlive(old) ? state.port : undefined,
      });
  await stop(old);
  const port = vacant ?? (await choosePort(asked.port, state.port ?? null, listen));
  if (!webIsBuilt()) say("building the web app (a minute or two)");
  await buildWeb();
  const { publicUrl, local } = describe(port, asked, { pid: 0, started: "", log: "" });
  const service = await launch("web", process.execPath, webArgs(String(port), listen), {
    cwd: paths.web,
    env: webEnv({ databaseUrl, publicUrl, port }),
  });
  remember({ port, listen, web: service, web_config: configOf(databaseUrl, publicUrl) });
  await waitHealthy(local, service);
  return { local, publicUrl, service };
}

function describe(port: number, { listen, network }: Place, service: Service): Web {
  const everywhere = listen === "0.0.0.0" || listen === "::";
  const host = everywhere ? "127.0.0.1" : listen.includes(":") ? `[${listen}]` : listen;
  const local = `http://${host}:${port}`;
  const reached = network === null ? local : `http://${network}:${port}`;
  return { local, publicUrl: (env.PUBLIC_URL ?? reached).replace(/\/+$/, ""), service };
}

/** What the app reads of our own environment: it is started anew when one of them changes. */
const SETTINGS = [
  "SIGN_UP",
  "TRUSTED_PROXIES",
  "WEBHOOK_NETWORKS",
  "QUOTA_HOSTS",
  "QUOTA_QUEUED_RUNS",
  "QUOTA_STORED_GIB",
  "QUOTA_LIVE_STREAMS",
  "SMTP_URL",
  "SMTP_URL_FILE",
  "MAIL_FROM",
  "GITHUB_CLIENT_ID",
  "GITHUB_CLIENT_SECRET",
  "GITHUB_CLIENT_SECRET_FILE",
  "LOG_LEVEL",
  "NODE_OPTIONS",
];

const configOf = (databaseUrl: string, publicUrl: string): string =>
  createHash("sha256")
    .update(JSON.stringify([databaseUrl, publicUrl, ...SETTINGS.map((name) => inherited[name] ?? "")]))
    .digest("hex");

async function healthy(local: string): Promise<boolean> {
  try {
    return (await fetch(`${local}/api/health`, { signal: AbortSignal.timeout(5000) })).ok;
  } catch {
    return false;
  }
}

export async function waitHealthy(local: string, service: Service): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(100)) {
    if (!isAlive(service))
      throw new CommandError(
        `the web app ended at once:\n${tailOf(service.log)}\nIts log is ${service.log}.`,
      );
    if (await healthy(local)) return;
  }
  await stop(service);
  throw new CommandError(
    `the web app does not become healthy at ${local}/api/health:\n${tailOf(service.log)}\nIts log is ${service.log}.`,
  );
}
