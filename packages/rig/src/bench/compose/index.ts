import { randomInt } from "node:crypto";
import { whenInterrupted } from "../../interrupt";
import { paths } from "../../paths";
import { release } from "../../release/index";
import { targetOf } from "../../release/targets";
import { CommandError, say, seconds } from "../../say";
import { attempt, soFar } from "../attempt";
import { atLeast, type Figure, fact } from "../figure";
import { waitFor } from "../wait-for";
import { type App, composeApp, startApp } from "./app";
import { withEngine } from "./engine";
import { recordsOf } from "./journal";
import { ADDED, becomeOwner, type Member } from "./member";

const STARTUP_MS = 180_000;
const RUN_MS = 600_000;
const STREAMS = 6;

/**
 * docker-compose.yml as somebody who installs it meets it: images, a start without any secret, sign-in, a host by its
 * line, a run, a report. Then each service is restarted during a run.
 */
export async function compose(): Promise<Figure[]> {
  await ownRelease();
  return withEngine(async (engine) => {
    const app = await composeApp(engine);
    whenInterrupted(app.remove);
    try {
      return await story(app);
    } finally {
      await app.remove();
    }
  });
}

/** The agent of this machine alone, built quickly: it is never handed out. */
async function ownRelease(): Promise<void> {
  const own = targetOf(`${process.arch === "arm64" ? "aarch64" : "x86_64"}-unknown-linux-musl`);
  say("  packing the agent for this machine");
  await release({
    folder: paths.testRelease,
    profile: "release-test",
    targets: [own],
    k6: [own],
    servers: [],
  });
}

async function story(app: App): Promise<Figure[]> {
  const building = Date.now();
  say("  building the images");
  await app.build();
  const built = Date.now();
  say(`  built in ${seconds(built - building)}`);
  const link = await startApp(app);
  const member = await becomeOwner(app.url, link);
  const figures = [
    fact("build", (built - building) / 1000, "s"),
    fact("start", (Date.now() - built) / 1000, "s"),
    fact("web_image", await app.size("web"), "MB"),
    fact("agent_image", await app.size("agent"), "MB"),
    atLeast("closed_off", await closedOff(app), "", 1),
  ];
  soFar.push(...figures);
  const part = async (name: string, measure: () => Promise<Figure[]>): Promise<void> => {
    const measured = await attempt([atLeast(name, null, "", 1)], measure);
    for (const { reason } of measured) if (reason !== null) say(`  ${name}: ${reason}`);
    figures.push(...measured);
  };
  await part("report_of_added_host", async () => [
    atLeast("report_of_added_host", await addedHost(app, member), "", 1),
  ]);
  for (const service of ["postgres", "web", "agent"])
    await part(`whole_after_${service}`, () =>
      interrupted(app, member, `whole_after_${service}`, () => app.compose("restart", service)),
    );
  await part("whole_after_killed_agent", () =>
    interrupted(app, member, "whole_after_killed_agent", async () => {
      await app.compose("kill", "agent");
      await app.compose("up", "-d", "agent");
    }),
  );
  await app.replicas("up", "-d", "--wait", "--wait-timeout", "180", "--scale", "web=2", "web", "proxy");
  say("  two web containers answer behind one address");
  await part("live_streams", () => liveStreams(member));
  await part("whole_without_a_replica", () =>
    interrupted(app, member, "whole_without_a_replica", () =>
      app.replicas("up", "-d", "--no-recreate", "--scale", "web=1", "web"),
    ),
  );
  return figures;
}

/** As many live pages of one run as go to each replica in turn. */
async function liveStreams(member: Member): Promise<Figure[]> {
  const id = await queue(member, await ownHost(member), 10);
  await measuring(member, id);
  const came = await Promise.all(Array.from({ length: STREAMS }, () => member.watch(id)));
  await finalState(member, id);
  return [atLeast("live_streams", came.filter(Boolean).length, "streams", STREAMS)];
}

/** 1 where containers can do what they must and no more. */
async function closedOff(app: App): Promise<number> {
  const database = (await app.addresses("postgres"))[0] ?? "";
  const knock = `exec 3<>/dev/tcp/${database}/5432`;
  const refused: Record<string, [string, ...string[]]> = {
    "the agent finds the database's name": ["agent", "getent", "hosts", "postgres"],
    "the agent reaches the database's address": ["agent", "timeout", "3", "bash", "-c", knock],
    "the database reads the app's secret": ["postgres", "cat", "/secrets/auth_secret"],
    "the app's files can be changed": ["web", "touch", "/app/changed"],
    "the agent's files can be changed": ["agent", "touch", "/usr/local/changed"],
    "the app is root": ["web", "sh", "-c", '[ "$(id -u)" = 0 ]'],
    "the agent is root": ["agent", "sh", "-c", '[ "$(id -u)" = 0 ]'],
    "the database is root": ["postgres", "sh", "-c", '[ "$(id -u)" = 0 ]'],
  };
  const allowed: typeof refused = {
    "the app does not reach the database": ["web", "bash", "-c", knock],
    "the agent's sandbox has no network namespace": [
      "agent",
      "sh",
      "-c",
      "rigmark doctor --quick 2>/dev/null | grep -q '^ok *Network namespace for each trial'",
    ],
  };
  const wrong: string[] = [];
  for (const [what, [service, ...command]] of Object.entries(refused))
    if ((await app.inside(service, ...command)).code === 0) wrong.push(what);
  for (const [what, [service, ...command]] of Object.entries(allowed))
    if ((await app.inside(service, ...command)).code !== 0) wrong.push(what);
  for (const what of wrong) say(`  not as it should be: ${what}`);
  return wrong.length === 0 ? 1 : 0;
}

/** A machine beside the project runs the line of the page, measures, and its report is read without signing in. */
async function addedHost(app: App, member: Member): Promise<number> {
  const { commands } = await member.addHost();
  await app.host(`${commands.install} --no-service --yes --state-dir /var/lib/rigmark`);
  await app.host("RIGMARK_STATE=/var/lib/rigmark exec rigmark agent --allow-http", { background: true });
  const host = await waitFor("The added host's agent", STARTUP_MS, () => ready(member, true));
  say("  a host was added by its line");
  const run = await finalState(member, await queue(member, host, 3));
  if (run.state !== "succeeded" && run.error?.code !== "no-valid-trial")
    throw new CommandError(`The run ${run.state}: ${run.error?.message ?? ""}`);
  const { url } = await member.publish(run.run_id);
  const page = await fetch(url);
  const title = /<title>([^<]*)/.exec(await page.text())?.[1];
  say(`  the report ${url} answers ${page.status}: ${title}`);
  return page.ok && (await fetch(`${url}.json`)).ok ? 1 : 0;
}

/** A host that is ready for runs: the added one, or the project's own. */
const ready = async (member: Member, added: boolean): Promise<string | null> =>
  (await member.hosts()).find(({ name }) => (name === ADDED) === added)?.host_id ?? null;

const ownHost = (member: Member): Promise<string> =>
  waitFor("The agent", STARTUP_MS, () => ready(member, false));

const measuring = (member: Member, run: string): Promise<true> =>
  waitFor("The measuring of a run", STARTUP_MS, async () => {
    const { state, trials } = await member.run(run);
    return state === "measuring" && trials.some((trial) => trial.state === "running") ? true : null;
  });

const queue = (member: Member, hostId: string, duration_s: number): Promise<string> =>
  member.queue(hostId, {
    schema: 1,
    title: "Compose",
    entries: [{ label: "epoll", server: "epoll", options: {} }],
    scenarios: ["static-1k-ab"],
    repeats: 2,
    duration_s,
    warmup_s: 0,
    baseline: null,
    seed: randomInt(2 ** 47),
    suite: null,
    slice_s: null,
    precision: null,
    max_repeats: null,
  });

const finalState = (member: Member, run: string) =>
  waitFor("The end of a run", RUN_MS, async () => {
    const view = await member.run(run);
    return view.final ? view : null;
  });

/** A run of the project's agent, with something done to a service while it measures. */
async function interrupted(
  app: App,
  member: Member,
  name: string,
  act: () => Promise<unknown>,
): Promise<Figure[]> {
  const id = await queue(member, await ownHost(member), 10);
  await measuring(member, id);
  await act();
  const run = await finalState(member, id);
  const records = await recordsOf(app, id);
  say(`  ${name}: the run ${run.state}, ${records === null ? "records are missing" : `${records} records`}`);
  return [
    atLeast(name, records !== null && run.state !== "incomplete" ? 1 : 0, "", 1),
    fact(`${name}_records`, records, "records"),
  ];
}
