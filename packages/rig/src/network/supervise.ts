import { randomBytes } from "node:crypto";
import { filesOf, type LauncherNote, type LauncherRequest, ownAddresses } from "@rigmark/domain/launcher";
import type { ReleaseTarget } from "@rigmark/results/network";
import { webIsBuilt } from "../build/web";
import { env } from "../env";
import { paths } from "../paths";
import { CommandError, say } from "../say";
import { stop } from "../services/service";
import { readState, remember, writeWhole } from "../state";
import { startWeb } from "../up/web";
import { startArchives } from "./archives";
import { HERE, onNetwork, type Place } from "./place";
import { forgetRequests, takeRequest } from "./request";

interface Supervised {
  databaseUrl: string;
  place: Place;
  build?: (first: ReleaseTarget) => Promise<void>;
}

/**
 * Lets the app ask this process for the two things that it may ask for. Returns what looks for a request and does it; the
 * caller calls it once a second. The app itself neither starts anything anew nor builds anything.
 */
export function supervise({ databaseUrl, place: began, build = startArchives }: Supervised) {
  const files = filesOf(paths.state);
  const nonce = randomBytes(32).toString("base64url");
  let place = began;
  const note = (last: LauncherNote["last"]): void => {
    const is: LauncherNote = { schema: 1, pid: process.pid, nonce, may: mayOf(place), last };
    writeWhole(files.note, `${JSON.stringify(is)}\n`);
  };
  forgetRequests();
  note(null);

  const move = async (to: Place): Promise<void> => {
    if (!webIsBuilt())
      throw new CommandError(
        "The sources have changed since ./rig up started the app; stop it and run ./rig up --network.",
      );
    try {
      await startWeb(databaseUrl, { port: null, ...to });
    } catch (error) {
      await startWeb(databaseUrl, { port: null, ...place });
      throw error;
    }
    place = to;
    remember({ network: to.network ?? undefined });
    say(
      to.network === null
        ? "an owner asked for it: only this machine reaches the app now"
        : `an owner asked for it: other machines reach the app at http://${to.network}:${readState().port} now`,
    );
  };

  const act = async (request: LauncherRequest): Promise<void> => {
    if (request.action !== mayOf(place))
      throw new CommandError("The app is already as you asked for; load this page again.");
    if (request.action === "close") {
      await move(HERE);
      await stop(readState().archives);
      return;
    }
    if (!(await ownAddresses()).some(({ address }) => address === request.address))
      throw new CommandError(`This machine has no private address ${request.address} any longer.`);
    await move(onNetwork(request.address));
    await build(request.first);
  };

  return async (): Promise<void> => {
    const request = takeRequest(files.request, nonce);
    if (!request) return;
    const problem = await act(request).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 1000),
    );
    if (problem !== null) say(problem);
    note({ id: request.id, problem });
  };
}

/** Nothing where somebody chose another address or put a proxy in front. */
function mayOf({ listen, network }: Place): LauncherNote["may"] {
  if (network !== null) return "close";
  return listen === HERE.listen && env.PUBLIC_URL === undefined ? "open" : null;
}
