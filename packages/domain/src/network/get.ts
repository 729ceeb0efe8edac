import type { NetworkAccess } from "@rigmark/results";
import type { Call, Ctx } from "../context";
import { isDomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { mayAsk, type NetworkRequest } from "./internal/asker";

/** For any member, who sees how far the archives are; what may be changed is told only to who may change it. */
export async function getNetwork({ ctx, input }: Call<NetworkRequest>): Promise<NetworkAccess> {
  await enterWorkspace(ctx, input.workspace, "read");
  const [archives, allowed] = await Promise.all([input.launcher?.archives(), isAllowed(ctx, input)]);
  const note = (allowed && (await input.launcher?.note())) || null;
  return {
    may: note?.may ?? null,
    addresses: note?.may === "open" ? ((await input.launcher?.addresses()) ?? []) : [],
    last: note?.last ?? null,
    archives: archives?.builds ?? [],
    held: archives?.held ?? false,
  };
}

async function isAllowed(ctx: Ctx, asked: NetworkRequest): Promise<boolean> {
  try {
    return (await mayAsk(ctx, asked)) === null;
  } catch (error) {
    if (isDomainError(error)) return false;
    throw error;
  }
}
