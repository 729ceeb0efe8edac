import { z } from "zod";
import { WorkspaceSlug } from "./scalar";

/** What the link for the first owner is good for: it works once, within an hour of being printed. */
export const ClaimLink = z.enum(["usable", "used", "expired", "unknown"]);
export type ClaimLink = z.infer<typeof ClaimLink>;

export const SetupStatus = z.object({
  /** False while the workspace `home`, made by `rig up`, waits for its first owner. Null when there is no such workspace. */
  claimed: z.boolean().nullable(),
  home: WorkspaceSlug.nullable(),
  /** Of the token that was asked about, and what to say when it does not work. Null when there was none. */
  link: z.object({ state: ClaimLink, message: z.string().nullable() }).nullable(),
});
export const FirstReport = z.object({
  url: z.string(),
  /** The verdict sentence. */
  headline: z.string().nullable(),
  /** Of the headline. */
  language: z.enum(["en", "zh"]),
});
export const SetupClaimed = z.object({ workspace: WorkspaceSlug });

export type FirstReport = z.infer<typeof FirstReport>;
export type SetupStatus = z.infer<typeof SetupStatus>;
export type SetupClaimed = z.infer<typeof SetupClaimed>;
