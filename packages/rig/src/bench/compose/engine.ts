import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inherited } from "../../env";
import { capture, exec, tailOf } from "../../exec";
import { whenInterrupted } from "../../interrupt";
import { paths } from "../../paths";
import { CommandError, say } from "../../say";

const PATIENCE_MS = 60_000;
/** Every engine's own network device. */
const BRIDGE = "/sys/class/net/docker0";
const folder = () => join(paths.home, "compose");

/** A container engine, and Compose for it. */
export interface Engine {
  /** What every command of it is told. */
  env: Record<string, string>;
  docker(...args: string[]): Promise<string>;
}

/** The engine that runs here; else one of ours, with a folder and a socket of its own, ended and removed afterwards. */
export async function withEngine<T>(use: (engine: Engine) => Promise<T>): Promise<T> {
  if (inherited.DOCKER_HOST || (await answers({}))) return use(engineAt({}));
  mkdirSync(folder(), { recursive: true });
  const socket = join(folder(), "docker.sock");
  const env = { DOCKER_HOST: `unix://${socket}` };
  const end = await startEngine(socket, env);
  whenInterrupted(end);
  try {
    return await use(engineAt(env));
  } finally {
    await end();
  }
}

const answers = async (env: Record<string, string>): Promise<boolean> =>
  (await capture("docker", ["info"], { env }).catch(() => ({ code: 1 }))).code === 0;

function engineAt(env: Record<string, string>): Engine {
  return {
    env,
    docker: (...args) => told("docker", args, env),
  };
}

/** What a command prints; a failure is one sentence with its last words. */
export async function told(command: string, args: string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await capture(command, args, { env });
  if (code === 0) return stdout;
  const why = stderr.trim().split("\n").at(-1) ?? "";
  throw new CommandError(`${command} ${args.slice(0, 3).join(" ")} failed: ${why}`);
}

async function startEngine(socket: string, env: Record<string, string>): Promise<() => Promise<void>> {
  say("starting a container engine of our own");
  const log = join(folder(), "dockerd.log");
  const out = openSync(log, "w", 0o600);
  const at = (name: string): string => join(folder(), name);
  const bridged = existsSync(BRIDGE);
  const places = ["--data-root", at("data"), "--exec-root", at("exec"), "--pidfile", at("docker.pid")];
  const child = spawn("nice", ["-n", "19", "dockerd", "--host", `unix://${socket}`, ...places], {
    stdio: ["ignore", out, out],
  });
  closeSync(out);
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const end = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    // It mounts its own folder there, and leaves that behind.
    await capture("umount", ["--recursive", at("data")]);
    if (!bridged) await capture("ip", ["link", "delete", "docker0"]);
    rmSync(folder(), { recursive: true, force: true });
  };
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(200)) {
    if (await answers(env)) return end;
    if (child.exitCode !== null || child.pid === undefined) break;
  }
  const why = existsSync(log) ? tailOf(log, 1) : "it did not start";
  await end();
  throw new CommandError(`No container engine runs here, and dockerd cannot be started: ${why}`);
}

/** Base images: those that the environment names, else Debian and what `rig` has here. */
export async function baseImages(engine: Engine): Promise<Record<string, string>> {
  const names = {
    NODE_IMAGE: "node",
    NODE_SLIM_IMAGE: "node",
    RUST_IMAGE: "rust",
    GO_IMAGE: "go",
    BASE_IMAGE: "debian",
    POSTGRES_IMAGE: "postgres",
    PROXY_IMAGE: "nginx",
  };
  if (Object.keys(names).every((setting) => inherited[setting])) return {};
  const go = (await told("go", ["env", "GOROOT"], {})).trim();
  const rust = (await told("rustc", ["--print", "sysroot"], {})).trim();
  const work = join(folder(), "images");
  mkdirSync(work, { recursive: true });
  const script = join(paths.root, "packages/rig/compose/images.sh");
  const done = await exec("nice", ["-n", "19", "sh", script, work, nodeFolder(), go, rust], {
    env: engine.env,
    log: "compose-images",
  });
  if (done.code !== 0 && done.log)
    throw new CommandError(
      `The base images cannot be made: ${tailOf(done.log, 1)} The whole output is in ${done.log}.`,
    );
  return Object.fromEntries(
    Object.entries(names).map(([setting, name]) => [setting, inherited[setting] ?? `rigmark-bench/${name}`]),
  );
}

/** A folder with bin/node and lib/node_modules/npm, as every distribution of Node but the system's has them. */
function nodeFolder(): string {
  const found = dirname(dirname(process.execPath));
  if (existsSync(join(found, "lib/node_modules/npm"))) return found;
  throw new CommandError(`Node's own npm is not beside ${process.execPath}, so no image can be made of it.`);
}
