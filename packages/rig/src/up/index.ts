import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ownAddresses } from "@rigmark/domain/launcher";
import { buildAgent } from "../build/agent";
import { buildWeb, webIsBuilt } from "../build/web";
import { orStop, stopAll } from "../down";
import { env } from "../env";
import { endCommands, tailOf } from "../exec";
import { whenInterrupted } from "../interrupt";
import { announceK6 } from "../later";
import { followArchives, readArchives, startArchives, USUAL_FIRST, unfinished } from "../network/archives";
import { choosePlace, type Place } from "../network/place";
import { supervise } from "../network/supervise";
import { paths } from "../paths";
import { answer, CommandError, say, seconds } from "../say";
import { isAlive, launch, stop } from "../services/service";
import { readState, remember } from "../state";
import { startAgent } from "./agent";
import { parseUp, type UpArguments } from "./arguments";
import { startDatabase } from "./database";
import { type Demo, demo } from "./demo";
import { type HostView, openHome, signInUrl } from "./home";
import { startWeb, type Web } from "./web";

/** Everything running, one comparison measured, and the links to it. */
export async function run(argv: string[]): Promise<number> {
  const asked = parseUp(argv);
  const began = env.RIG_BEGAN_S === undefined ? Date.now() : Number(env.RIG_BEGAN_S) * 1000;
  if (!asked.detach) {
    whenInterrupted(async () => {
      say("stopping");
      await stopAll();
    });
  }
  const ready = asked.detach ? await start(asked) : await orStop(() => start(asked));
  await getTheRest();
  await buildForHosts(ready, asked);
  tell(ready, asked, Date.now() - began);
  return asked.detach ? 0 : watch(ready);
}

/** What the first report did not need. It ends by itself, at once when nothing is missing. */
async function getTheRest(): Promise<void> {
  if (isAlive(readState().later)) return;
  const args = ["--import", "tsx", join(paths.root, "packages/rig/src/main.ts"), "later"];
  remember({
    later: await launch("later", process.execPath, args, { cwd: join(paths.root, "packages/rig"), env: {} }),
  });
}

/** All of it when the app is to listen on the network; later what an `up` that was stopped has left. */
async function buildForHosts({ place }: Ready, { network }: UpArguments): Promise<void> {
  if (network === false) await stop(readState().archives);
  if (place.network === null) return;
  const first = network ? USUAL_FIRST : unfinished(readArchives());
  if (first !== null) await startArchives(first);
}

export interface Ready {
  databaseUrl: string;
  place: Place;
  web: Web;
  host: HostView;
  /** The agent's program. */
  program: string;
  signInUrl: string;
  demo: Demo | null;
}

export async function start(asked: UpArguments): Promise<Ready> {
  const { place, note } = choosePlace(asked, readState().network ?? null, await ownAddresses());
  if (note !== null) say(note);
  const databaseUrl = await startDatabase();
  const program = await build();
  const web = await startWeb(databaseUrl, { port: asked.port, ...place });
  if (asked.network !== null) remember({ network: place.network ?? undefined });
  const home = await openHome(databaseUrl, web.publicUrl);
  try {
    announceK6(process.pid);
    const host = await startAgent(home, program, web.local);
    const made = asked.demo ? await demo(home, host) : null;
    return { databaseUrl, place, web, host, program, signInUrl: await signInUrl(home), demo: made };
  } finally {
    await home.close();
  }
}

/** Both builds at once: one of them is often waiting for a single core. */
async function build(): Promise<string> {
  if (!webIsBuilt()) say("building the agent and the web app (some minutes, the first time)");
  try {
    const [program] = await Promise.all([
      buildAgent(),
      webIsBuilt() ? "unchanged" : stopOldWeb().then(buildWeb),
    ]);
    return program;
  } catch (error) {
    endCommands();
    throw error;
  }
}

/** A running app would lose its files under it. */
async function stopOldWeb(): Promise<void> {
  await stop(readState().web);
}

function tell({ web, place, signInUrl, demo: made }: Ready, asked: UpArguments, took: number): void {
  say(`ready after ${seconds(took)}`);
  say(`  address      ${web.publicUrl}`);
  say(`  sign in      ${signInUrl}`);
  if (made) say(`  first report ${made.report_url}`);
  if (made) say(`  it says      ${made.sentence}`);
  if (place.network !== null) {
    say("  network      other machines reach it there, until ./rig up --no-network");
    if (isAlive(readState().archives))
      say("  agents       being built in the background; the page Add a host shows how far they are");
  }
  say(asked.detach ? "  stop it with ./rig down" : "  Ctrl-C stops everything; the data stays");
  if (!asked.json) return;
  answer(
    JSON.stringify({
      url: web.publicUrl,
      report_url: made?.report_url ?? null,
      run_id: made?.run_id ?? null,
      sign_in_url: signInUrl,
      sentence: made?.sentence ?? null,
      verdicts: made?.verdicts ?? [],
    }),
  );
}

/** In the foreground: until Ctrl-C, or until something ends by itself. */
async function watch({ databaseUrl, place }: Ready): Promise<number> {
  const look = supervise({ databaseUrl, place });
  const follow = followArchives();
  for (;;) {
    const { web, agent } = readState();
    for (const [name, service] of [
      ["the web app", web],
      ["the agent", agent],
    ] as const) {
      if (!service) return 0; // somebody called ./rig down
      if (isAlive(service)) continue;
      const why = `${name} ended by itself:\n${tailOf(service.log)}\nIts log is ${service.log}.`;
      await stopAll();
      throw new CommandError(why);
    }
    await look();
    follow();
    await sleep(1000);
  }
}
