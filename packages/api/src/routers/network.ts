import { closeNetwork, getNetwork, openNetwork } from "@rigmark/domain";
import { NetworkAccess, NetworkAsked, ReleaseTarget } from "@rigmark/results";
import { z } from "zod";
import { InWorkspace } from "../input";
import { procedure, router } from "../trpc";

export const network = router({
  get: procedure
    .input(InWorkspace)
    .output(NetworkAccess)
    .query(({ ctx: { ctx, launcher, atThisMachine }, input }) =>
      getNetwork({ ctx, input: { ...input, launcher, atThisMachine } }),
    ),
  open: procedure
    .input(InWorkspace.extend({ address: z.ipv4(), first: ReleaseTarget }))
    .output(NetworkAsked)
    .mutation(({ ctx: { ctx, launcher, atThisMachine }, input }) =>
      openNetwork({ ctx, input: { ...input, launcher, atThisMachine } }),
    ),
  close: procedure
    .input(InWorkspace)
    .output(NetworkAsked)
    .mutation(({ ctx: { ctx, launcher, atThisMachine }, input }) =>
      closeNetwork({ ctx, input: { ...input, launcher, atThisMachine } }),
    ),
});
