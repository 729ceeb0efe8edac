import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { env } from "../env";
import { capture, tailOf } from "../exec";
import { paths } from "../paths";
import { CommandError, say } from "../say";
import { isAlive, launch, type Service, stop } from "../services/service";
import { readState, remember } from "../state";
import { type Home, type HostView, issueKey, readHost } from "./home";

const PATIENCE_MS = 90_000;
const identity = (): string => join(paths.agent, "identity.json");

/** For the agent and for every `rigmark` that we call: its own state, this checkout, our tools first. */
export const agentEnv = (): Record<string, string> => ({
  RIGMARK_STATE: paths.agent,
  RIGMARK_ASSETS: paths.root,
  PATH: `${paths.bin}:${env.PATH}`,
});

/**
 * The agent of this machine: enrolled once, running, online, with its catalogue sent. One that runs already is kept,
 * unless its program has changed or it is wanted anew.
 */
export async function startAgent(
  home: Home,
  program: string,
  local: string,
  { anew = false } = {},
): Promise<HostView> {
  const state = readState();
  const build = createHash("sha256").update(readFileSync(program)).update(local).digest("hex");
  const known = await readHost(home, identityHost());
  const usable = known !== null && known.status !== "revoked";
  let service: Service | undefined = state.agent;
  if (anew || !(usable && service && isAlive(service) && state.agent_build === build)) {
    await stop(service, 35_000);
    if (usable) moveTo(local);
    else await enroll(home, program, local);
    service = await launch("agent", program, ["agent"], { cwd: paths.root, env: agentEnv() });
    remember({ agent: service, agent_build: build });
  }
  return waitOnline(home, service);
}

async function enroll(home: Home, program: string, local: string): Promise<void> {
  const key = await issueKey(home);
  const replace = existsSync(identity()) ? ["--replace"] : [];
  const done = await capture(program, ["enroll", "--url", local, ...replace], {
    env: { ...agentEnv(), RIGMARK_ENROLL_KEY: key },
  });
  if (done.code !== 0) throw new CommandError(`this machine could not be enrolled: ${done.stderr.trim()}`);
  say("this machine is enrolled as a host");
}

/** What the agent wrote down when it enrolled. */
function readIdentity(): { host_id?: string; url?: string } {
  try {
    return JSON.parse(readFileSync(identity(), "utf8")) as { host_id?: string; url?: string };
  } catch {
    return {};
  }
}
const identityHost = (): string | null => readIdentity().host_id ?? null;

/** The app has another port now: the same host calls there. Enrolling anew would make a second host of it. */
function moveTo(local: string): void {
  const known = readIdentity();
  if (known.url === local) return;
  writeFileSync(`${identity()}.new`, `${JSON.stringify({ ...known, url: local }, null, 2)}\n`, {
    mode: 0o600,
  });
  renameSync(`${identity()}.new`, identity());
}

async function waitOnline(home: Home, service: Service): Promise<HostView> {
  const began = new Date();
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(100)) {
    if (!isAlive(service))
      throw new CommandError(`the agent ended:\n${tailOf(service.log)}\nIts log is ${service.log}.`);
    const host = await readHost(home, identityHost());
    const fresh = host?.last_seen_at && (new Date(host.last_seen_at) >= began || host.status === "online");
    if (host?.catalogue && fresh && host.status === "online") return host;
  }
  throw new CommandError(
    `the agent does not come online:\n${tailOf(service.log)}\nIts log is ${service.log}.`,
  );
}
