import { approveDevice, denyDevice, getDevice } from "@rigmark/domain";
import { DeviceView, TokenDays, TokenScopes, UserCode, WorkspaceSlug } from "@rigmark/results";
import { z } from "zod";
import { procedure, router } from "../trpc";

const OfDevice = z.object({ userCode: UserCode });

/** A program in a terminal that waits for somebody to approve it. */
export const device = router({
  get: procedure
    .input(OfDevice)
    .output(DeviceView)
    .query(({ ctx: { ctx }, input }) => getDevice({ ctx, input })),
  approve: procedure
    .input(OfDevice.extend({ workspace: WorkspaceSlug.nullable(), scopes: TokenScopes, days: TokenDays }))
    .output(DeviceView)
    .mutation(({ ctx: { ctx }, input }) => approveDevice({ ctx, input })),
  deny: procedure
    .input(OfDevice)
    .output(DeviceView)
    .mutation(({ ctx: { ctx }, input }) => denyDevice({ ctx, input })),
});
