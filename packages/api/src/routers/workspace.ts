import { getWorkspace, listWorkspaces } from "@rigmark/domain";
import { WorkspaceView } from "@rigmark/results";
import { z } from "zod";
import { InWorkspace } from "../input";
import { procedure, router } from "../trpc";

export const workspace = router({
  list: procedure
    .output(z.array(WorkspaceView))
    .query(({ ctx: { ctx } }) => listWorkspaces({ ctx, input: {} })),
  get: procedure
    .input(InWorkspace)
    .output(WorkspaceView)
    .query(({ ctx: { ctx }, input }) => getWorkspace({ ctx, input })),
});
