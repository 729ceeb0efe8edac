import { Id, Name } from "@rigmark/protocol";
import { z } from "zod";
import { Moment, WorkspaceSlug } from "./scalar";

export const Role = z.enum(["owner", "admin", "member", "viewer"]);
export const ROLES = Role.options;

/** One line for each role, for whoever gives one. */
export const ROLE_WORDS: Record<Role, string> = {
  owner: "Everything, also the roles of admins and owners, and deleting the workspace.",
  admin: "Hosts, tokens, webhooks, invitations, and the members and viewers.",
  member: "Queue and change runs, make and revoke reports.",
  viewer: "See everything, change nothing.",
};

/** What can be done in a workspace, as roles permit it. The domain says which role may what. */
export const Action = z.enum([
  "read",
  "queue",
  "publish",
  "deleteRuns",
  "manageHosts",
  "manageTokens",
  "manageWebhooks",
  "manageMembers",
  "readAudit",
  "renameWorkspace",
  "exportWorkspace",
  "openNetwork",
  "deleteWorkspace",
]);
export const ACTIONS = Action.options;

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
