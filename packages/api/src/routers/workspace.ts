import { createWorkspace, getWorkspace, listWorkspaces, renameWorkspace } from "@rigmark/domain";
import { WorkspaceName, WorkspaceView } from "@rigmark/results";
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
  /** Whoever makes it owns it. */
  create: procedure
    .input(z.object({ name: WorkspaceName }))
    .output(WorkspaceView)
    .mutation(({ ctx: { ctx }, input }) => createWorkspace({ ctx, input })),
  /** Its address stays. */
  rename: procedure
    .input(InWorkspace.extend({ name: WorkspaceName }))
    .output(WorkspaceView)
    .mutation(({ ctx: { ctx }, input }) => renameWorkspace({ ctx, input })),
});
