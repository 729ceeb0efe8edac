import { setTimeout as sleep } from "node:timers/promises";
import {
  buildArchives,
  HERE,
  openHome,
  readState,
  runCommand,
  signInUrl,
  startDatabase,
  startWeb,
  stop,
  supervise,
  useInstallation,
  whenInterrupted,
} from "@rigmark/rig/journeys";

/**
 * `./rig up` without an agent, in a folder of its own: the app as it starts it, and what takes the app's requests. Only the
 * build of a release is replaced: one for TARGET ends when the folder has a file `built-TARGET`.
 */
const [folder = "", port = ""] = process.argv.slice(2);

runCommand(async () => {
  useInstallation(folder);
  whenInterrupted(async () => void (await stop(readState().web)));
  const databaseUrl = await startDatabase();
  const web = await startWeb(databaseUrl, { port: Number(port), ...HERE });
  const home = await openHome(databaseUrl, web.publicUrl);
  process.stdout.write(`sign in: ${await signInUrl(home)}\n`);
  const release = ["sh", "-c", 'until [ -e "$0/built-$1" ]; do sleep 0.1; done', folder];
  const look = supervise({
    databaseUrl,
    place: HERE,
    build: async (first) => void buildArchives(first, release),
  });
  process.stdout.write("supervised\n");
  for (;;) {
    await look();
    await sleep(200);
  }
});
