import type { OwnAddress } from "@rigmark/results/network";
import { CommandError } from "../say";

/** Where the app listens. */
export interface Place {
  listen: string;
  /** The private address that other machines use, and links are made of; null while only this machine may. */
  network: string | null;
}

export const HERE: Place = { listen: "127.0.0.1", network: null };
export const onNetwork = (address: string): Place => ({ listen: "0.0.0.0", network: address });

export interface AskedPlace {
  /** Null when none was asked for. */
  listen: string | null;
  /** An address, or `true` for whichever is likeliest; `false` takes it back. Null when nothing was asked for. */
  network: string | boolean | null;
}

/**
 * What was asked for, else what is remembered of the network, if this machine still has that address: elsewhere it has
 * another one, and there nobody has said that other machines may reach the app. `own` has the likeliest address first.
 */
export function choosePlace(
  { listen, network }: AskedPlace,
  remembered: string | null,
  own: readonly OwnAddress[],
): { place: Place; note: string | null } {
  const has = (address: string): boolean => own.some((a) => a.address === address);
  const said = own.length === 0 ? "none" : own.map((a) => a.address).join(", ");
  if (typeof network === "string" && !has(network))
    throw new CommandError(
      `this machine has no private address ${network}; it has ${said}. Choose one with --network=ADDRESS.`,
      { exit: 2 },
    );
  if (network === true && !own[0])
    throw new CommandError(
      "this machine has no private address now: connect it to a network, or use --listen and PUBLIC_URL.",
    );
  const chosen = network === true ? own[0]?.address : network;
  if (typeof chosen === "string") return { place: onNetwork(chosen), note: null };
  if (listen !== null) return { place: { listen, network: null }, note: null };
  if (network === false || remembered === null) return { place: HERE, note: null };
  if (has(remembered)) return { place: onNetwork(remembered), note: null };
  return {
    place: HERE,
    note: `this machine does not have the address ${remembered} now, so only this machine reaches the app. ./rig up --network listens on this network, too.`,
  };
}
