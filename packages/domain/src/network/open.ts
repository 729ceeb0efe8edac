import { randomUUID } from "node:crypto";
import type { NetworkAsked, ReleaseTarget } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { type Asked, requireLauncher } from "./internal/asker";

/** Asks the launcher to let other machines reach the app at this address, and to build what they download. */
export async function openNetwork({
  ctx,
  input,
}: Call<Asked & { address: string; first: ReleaseTarget }>): Promise<NetworkAsked> {
  const { launcher, note } = await requireLauncher(ctx, input, "open");
  const { address, first } = input;
  if (!(await launcher.addresses()).some((own) => own.address === address))
    throw new DomainError(
      "invalid",
      `This machine no longer has the private address ${address}; choose another.`,
    );
  const id = randomUUID();
  const at = ctx.now().getTime();
  await launcher.ask({ schema: 1, id, nonce: note.nonce, at, action: "open", address, first });
  ctx.log.info({ address, first }, "The launcher is asked to open the app to the network.");
  return { id };
}
