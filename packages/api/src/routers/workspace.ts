import {
  createWorkspace,
  deleteWorkspace,
  getRetention,
  getWorkspace,
  listDeletedWorkspaces,
  listPlaces,
  listWorkspaces,
  renameWorkspace,
  restoreWorkspace,
  setRetention,
} from "@rigmark/domain";
import { Id } from "@rigmark/protocol";
import {
  DeletedWorkspaces,
  Nothing,
  RetentionDays,
  RetentionView,
  WorkspaceDeleted,
  WorkspaceName,
  WorkspacePlace,
  WorkspaceView,
} from "@rigmark/results";
import { z } from "zod";
import { InWorkspace } from "../input";
import { procedure, router } from "../trpc";

export const workspace = router({
  list: procedure
    .output(z.array(WorkspaceView))
    .query(({ ctx: { ctx } }) => listWorkspaces({ ctx, input: {} })),
  places: procedure.output(z.array(WorkspacePlace)).query(({ ctx: { ctx } }) => listPlaces({ ctx })),
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
  /** What it stores; and with `days` what a rule of so many days would delete now. */
  retention: procedure
    .input(InWorkspace.extend({ days: RetentionDays.nullable().default(null) }))
    .output(RetentionView)
    .query(({ ctx: { ctx }, input }) => getRetention({ ctx, input })),
  setRetention: procedure
    .input(InWorkspace.extend({ days: RetentionDays.nullable() }))
    .output(Nothing)
    .mutation(({ ctx: { ctx }, input }) => setRetention({ ctx, input })),
  /** `name`: typed again, so that nobody does it by mistake. */
  delete: procedure
    .input(InWorkspace.extend({ name: z.string().max(200) }))
    .output(WorkspaceDeleted)
    .mutation(({ ctx: { ctx }, input }) => deleteWorkspace({ ctx, input })),
  /** What the person can restore. */
  deleted: procedure.output(DeletedWorkspaces).query(({ ctx: { ctx } }) => listDeletedWorkspaces({ ctx })),
  restore: procedure
    .input(z.object({ workspaceId: Id }))
    .output(WorkspaceView)
    .mutation(({ ctx: { ctx }, input }) => restoreWorkspace({ ctx, input })),
});
