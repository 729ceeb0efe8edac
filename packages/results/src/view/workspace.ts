import { Id, Name } from "@rigmark/protocol";
import { z } from "zod";
import { ACTIONS, ROLES } from "../choices";
import { Moment, WorkspaceSlug } from "./scalar";

export const Role = z.enum(ROLES);

/** What can be done in a workspace, as roles permit it. The domain says which role may what. */
export const Action = z.enum(ACTIONS);

/** As somebody types it. */
export const WorkspaceName = z.string().trim().min(1).max(80);

export const WorkspaceView = z.object({
  workspace_id: Id,
  slug: WorkspaceSlug,
  name: Name,
  /** What the asking person may do here. */
  role: Role,
  may: z.array(Action),
  created_at: Moment,
  hosts: z.int(),
  runs: z.int(),
  reports: z.int(),
});

/** What every page of a workspace knows of it. */
export const WorkspacePlace = WorkspaceView.pick({ slug: true, name: true, role: true, may: true });

export const WorkspaceDeleted = z.object({
  /** Until then an owner can restore it. */
  kept_until: Moment,
});
export const DeletedWorkspaces = z.object({
  workspaces: z.array(
    z.object({ workspace_id: Id, name: z.string(), deleted_at: Moment, kept_until: Moment }),
  ),
});

export type WorkspaceDeleted = z.infer<typeof WorkspaceDeleted>;
export type DeletedWorkspaces = z.infer<typeof DeletedWorkspaces>;
export type Action = z.infer<typeof Action>;
export type Role = z.infer<typeof Role>;
export type WorkspaceView = z.infer<typeof WorkspaceView>;
export type WorkspacePlace = z.infer<typeof WorkspacePlace>;
