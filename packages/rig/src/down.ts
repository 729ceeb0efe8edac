import { forgetRequests } from "./network/request";
import { useInstallation } from "./paths";
import { say } from "./say";
import { stop } from "./services/service";
import { readState, remember } from "./state";
import { stopDatabase } from "./up/database";

/** Stops what `up` started, by the processes that it wrote down and no others. The data stays. */
export async function run(): Promise<number> {
  const stopped = await stopAll();
  useInstallation("dev");
  stopped.push(...(await stopAll()).map((name) => `${name} of ./rig dev`));
  say(
    stopped.length === 0
      ? "nothing was running."
      : `stopped: ${stopped.join(", ")}. ./rig up starts it again, with the same data.`,
  );
  return 0;
}

/** The agent first, while there still is somebody to tell; the database last. */
export async function stopAll(): Promise<string[]> {
  const { agent, web, postgres, later, archives } = readState();
  const stopped: string[] = [];
  forgetRequests();
  await stop(later);
  await stop(archives);
  if (await stop(agent, 35_000)) stopped.push("agent");
  if (await stop(web)) stopped.push("web app");
  remember({ agent: undefined, web: undefined, later: undefined, archives: undefined });
  if (postgres && (await stopDatabase())) stopped.push("PostgreSQL");
  return stopped;
}
