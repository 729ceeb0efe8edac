import { join } from "node:path";
import { freePort } from "@rigmark/db/embedded";
import { capture, exec, tailOf } from "../../exec";
import { paths } from "../../paths";
import { CommandError, say } from "../../say";
import { waitFor } from "../wait-for";
import { baseImages, type Engine, told } from "./engine";

const PROJECT = "rigmark-bench";
const HOST = `${PROJECT}-host`;
/** What docker-compose.yml gives its own agent too, so that the sandbox has its namespaces. */
const OPEN = ["--security-opt", "seccomp=unconfined", "--security-opt", "apparmor=unconfined"];
const AS_HOST = ["--init", "--name", HOST, "--network", HOST, ...OPEN];

/** docker-compose.yml of this tree as a project of its own. */
export interface App {
  url: string;
  compose(...args: string[]): Promise<string>;
  /** The same with several web containers behind a proxy. */
  replicas(...args: string[]): Promise<string>;
  build(): Promise<void>;
  /** A command in a service's container: its exit code and what it printed. */
  inside(service: string, ...command: string[]): Promise<{ code: number; text: string }>;
  /** Where a service's containers are, in their first network. */
  addresses(service: string): Promise<string[]>;
  /** A machine of its own beside the project, as far as the app can see. */
  host(command: string, options?: { background: boolean }): Promise<string>;
  size(image: "web" | "agent"): Promise<number>;
  remove(): Promise<void>;
}

export async function composeApp(engine: Engine): Promise<App> {
  const images = await baseImages(engine);
  const listen = await sharedAddress(engine);
  const port = String(await freePort());
  const url = `http://${listen}:${port}`;
  const env = {
    ...engine.env,
    ...images,
    COMPOSE_PROJECT_NAME: PROJECT,
    WEB_IMAGE: `${PROJECT}/web`,
    AGENT_IMAGE: `${PROJECT}/agent`,
    LISTEN: listen,
    WEB_PORT: port,
    PUBLIC_URL: url,
    RELEASE: "prebuilt",
    RELEASE_DIR: ".rig/release-test",
    ...(await limits()),
  };
  const file = join(paths.root, "docker-compose.yml");
  const more = join(paths.root, "deploy/docker/replicas.yml");
  const compose = (...args: string[]) => told("docker-compose", ["-f", file, ...args], env);
  const replicas = (...args: string[]) => told("docker-compose", ["-f", file, "-f", more, ...args], env);
  return {
    url,
    compose,
    replicas,
    build: async () => {
      const args = ["-f", file, "--progress", "plain", "build", ...proxies(), "web", "agent"];
      const done = await exec("docker-compose", args, { env, log: "compose-build" });
      if (done.code !== 0 && done.log)
        throw new CommandError(
          `The images cannot be built: ${tailOf(done.log, 1)} The whole output is in ${done.log}.`,
        );
    },
    inside: async (service, ...command) => {
      const done = await capture("docker-compose", ["-f", file, "exec", "-T", service, ...command], { env });
      return { code: done.code, text: `${done.stdout}${done.stderr}` };
    },
    addresses: async (service) => {
      const ids = (await compose("ps", "-q", service)).trim().split("\n");
      const format = "{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}";
      const found = await engine.docker("inspect", "--format", format, ...ids);
      return found.trim().split(/\s+/);
    },
    host: async (command, { background } = { background: false }) => {
      const running = await engine.docker("ps", "-q", "--filter", `name=${HOST}`);
      if (running === "")
        await engine.docker("run", "-d", ...AS_HOST, "rigmark-bench/host", "sleep", "infinity");
      const how = background ? ["-d"] : [];
      return engine.docker("exec", ...how, HOST, "sh", "-c", command);
    },
    size: async (image) =>
      Number(await engine.docker("image", "inspect", "--format", "{{.Size}}", `${PROJECT}/${image}`)) / 1e6,
    remove: async () => {
      const down = ["down", "-v", "--remove-orphans", "--rmi", "local"];
      await capture("docker", ["rm", "-f", "-v", HOST], { env });
      await capture("docker-compose", ["-f", file, "-f", more, ...down], { env });
      await capture("docker", ["network", "rm", HOST], { env });
    },
  };
}

/** An address of this machine that the added host reaches too: its gateway, in a network of its own. */
async function sharedAddress(engine: Engine): Promise<string> {
  const found = await engine.docker("network", "ls", "-q", "--filter", `name=^${HOST}$`);
  if (found === "") await engine.docker("network", "create", HOST);
  const format = "{{(index .IPAM.Config 0).Gateway}}";
  return (await engine.docker("network", "inspect", HOST, "--format", format)).trim();
}

/** What this machine may give to a container; the defaults are for an engine that the system started. */
async function limits(): Promise<Record<string, string>> {
  const { stdout } = await capture("sh", ["-c", "ulimit -Hn; ulimit -Hl"]);
  const [files = "", locked = ""] = stdout.trim().split("\n");
  return {
    ...(Number(files) < 65_536 && { AGENT_NOFILE: files }),
    ...(locked !== "unlimited" && { AGENT_MEMLOCK: String(Number(locked) * 1024) }),
  };
}

/** A build sees the proxies of this shell; no image keeps them. */
const proxies = (): string[] =>
  ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].flatMap((name) => ["--build-arg", name]);

/** Everything started and healthy; the link for the first owner. */
export async function startApp(app: App): Promise<string> {
  try {
    await app.compose("up", "-d", "--wait", "--wait-timeout", "180", "web");
  } catch (error) {
    say(await app.compose("logs", "--tail", "20"));
    throw error;
  }
  await app.compose("up", "-d", "agent");
  const link = await waitFor("A link for the first owner", 30_000, async () => {
    const log = await app.compose("logs", "--no-log-prefix", "web");
    return log.match(/http\S*\/welcome\?token=\S+/g)?.at(-1) ?? null;
  });
  say(`  the app is healthy at ${app.url}`);
  return link;
}
