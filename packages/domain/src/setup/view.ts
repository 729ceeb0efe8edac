import { z } from "zod";
import { WorkspaceSlug } from "../scalar";

export const SetupStatus = z.object({
  /** False while the workspace `home`, made by `rig up`, waits for its first owner. Null when there is no such workspace. */
  claimed: z.boolean().nullable(),
  home: WorkspaceSlug.nullable(),
});
export const SetupClaimed = z.object({ workspace: WorkspaceSlug });

export type SetupStatus = z.infer<typeof SetupStatus>;
export type SetupClaimed = z.infer<typeof SetupClaimed>;
