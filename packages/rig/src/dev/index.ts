import { setTimeout as sleep } from "node:timers/promises";
import { buildDebugAgent } from "../build/agent";
import { stopAll } from "../down";
import { tailOf } from "../exec";
import { generate } from "../generate";
import { isInterrupted, whenInterrupted } from "../interrupt";
import { useInstallation } from "../paths";
import { CommandError, say, seconds } from "../say";
import { isAlive } from "../services/service";
import { readState } from "../state";
import { startAgent } from "../up/agent";
import { parseUp } from "../up/arguments";
import { startDatabase } from "../up/database";
import { type Home, openHome, signInUrl } from "../up/home";
import { follow } from "./follow";
import { watch } from "./watch";
import { startDevWeb } from "./web";

/** Its data, beside that of `./rig up`. */
const INSTALLATION = "dev";

/** What the agent is built from, or reads when it starts. */
const AGENT = /^(apps\/agent|packages\/(stats|protocol|metrics|scenarios)|servers|Cargo\.(toml|lock))(\/|$)/;
/** What `generate` reads: the statistics, the schema, the bundled autocannon. */
const GENERATED = /^packages\/(stats|db|scenarios)\//;
const SCHEMA = /^packages\/db\//;
const WATCHED = ["apps/agent", "packages", "servers", "Cargo.toml", "Cargo.lock"];

/** The app and an agent from these sources, kept up to date with them until Ctrl-C. */
export async function run(argv: string[]): Promise<number> {
  const { port } = parseUp(argv);
  const began = Date.now();
  useInstallation(INSTALLATION);
  await stopAll(); // what an earlier one left when it was killed
  let endWatch = (): void => undefined;
  whenInterrupted(async () => {
    say("stopping");
    endWatch();
    await updating;
    await stopAll();
  });
  try {
    const url = await startDatabase();
    say("building the agent (a minute or two, the first time)");
    const [program, web] = await Promise.all([buildDebugAgent(), startDevWeb(url, port)]);
    const home = await openHome(url, web.url);
    await startAgent(home, program, web.url);
    showAgent();
    tell(web.url, await signInUrl(home), Date.now() - began);
    follow("web", web.service.log);
    endWatch = watch(WATCHED, (paths) => {
      updating = update(paths, home, web.url);
      return updating;
    });
    return await untilOneEnds();
  } catch (error) {
    if (!isInterrupted()) await stopAll();
    throw error;
  }
}

/** What a change has set going: an agent that is being started would outlive a stop that does not wait for it. */
let updating: Promise<void> = Promise.resolve();

function tell(url: string, signIn: string, took: number): void {
  say(`ready after ${seconds(took)}`);
  say(`  address  ${url}`);
  say(`  sign in  ${signIn}`);
  say("  A changed page shows by itself; a changed agent is rebuilt and restarted.");
  say("  The agent is a debug build: do not believe its figures. Ctrl-C stops everything.");
}

/** A source that does not compile is reported, and what ran goes on running. */
async function update(paths: readonly string[], home: Home, url: string): Promise<void> {
  const began = Date.now();
  const some = (which: RegExp): boolean => paths.some((path) => which.test(path));
  try {
    if (some(GENERATED)) await generate();
    if (some(SCHEMA)) await startDatabase();
    if (!some(AGENT) || isInterrupted()) return;
    const before = readState().agent?.pid;
    const program = await buildDebugAgent();
    if (isInterrupted()) return;
    await startAgent(home, program, url, {
      anew: some(/^(servers\/(?!conformance|yardstick|[^/]+$)|packages\/scenarios\/)/),
    });
    const anew = readState().agent?.pid !== before;
    if (anew) showAgent();
    say(
      `${anew ? "the agent runs again" : "built, and the same agent runs on"}, ${seconds(Date.now() - began)} after ${paths[0]} changed`,
    );
  } catch (error) {
    if (!isInterrupted()) say(error instanceof Error ? error.message : String(error));
  }
}

let closeAgentLog = (): void => undefined;

/** A new agent has a new log. */
function showAgent(): void {
  closeAgentLog();
  const { agent } = readState();
  if (agent) closeAgentLog = follow("agent", agent.log);
}

async function untilOneEnds(): Promise<number> {
  for (;;) {
    await sleep(1000);
    const { web } = readState();
    if (!web) return 0;
    if (!isAlive(web))
      throw new CommandError(`the web app ended by itself:\n${tailOf(web.log)}\nIts log is ${web.log}.`);
  }
}
