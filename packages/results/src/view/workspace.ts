import { Id, Name } from "@rigmark/protocol";
import { z } from "zod";
import { Moment, WorkspaceSlug } from "./scalar";

export const Role = z.enum(["owner", "member"]);

export const WorkspaceView = z.object({
  workspace_id: Id,
  slug: WorkspaceSlug,
  name: Name,
  /** What the asking person may do here. */
  role: Role,
  created_at: Moment,
  hosts: z.int(),
  runs: z.int(),
  reports: z.int(),
});

export type Role = z.infer<typeof Role>;
export type WorkspaceView = z.infer<typeof WorkspaceView>;
