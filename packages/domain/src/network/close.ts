import { randomUUID } from "node:crypto";
import type { NetworkAsked } from "@rigmark/results";
import type { Call } from "../context";
import { type NetworkRequest, requireLauncher } from "./internal/asker";

/** Asks the launcher to take that back: only this machine reaches the app then. */
export async function closeNetwork({ ctx, input }: Call<NetworkRequest>): Promise<NetworkAsked> {
  const { launcher, note } = await requireLauncher(ctx, input, "close");
  const id = randomUUID();
  await launcher.ask({
    schema: 1,
    id,
    nonce: note.nonce,
    at: ctx.now().getTime(),
    action: "close",
  });
  ctx.log.info({}, "The launcher is asked to take the app off the network.");
  return { id };
}
