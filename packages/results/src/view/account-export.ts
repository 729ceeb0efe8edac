import { z } from "zod";
import { Moment, WorkspaceSlug } from "./scalar";
import { SessionView } from "./session";
import { TokenView } from "./token";
import { Role } from "./workspace";

/** What the installation knows of a person, without secrets. */
export const AccountExport = z.object({
  format: z.literal("rigmark-account"),
  version: z.literal(1),
  exported_at: Moment,
  person: z.object({
    user_id: z.string(),
    name: z.string(),
    email: z.string(),
    email_verified: z.boolean(),
    image: z.string().nullable(),
    created_at: Moment,
  }),
  sign_in: z.array(z.object({ provider: z.string(), created_at: Moment })),
  workspaces: z.array(z.object({ slug: WorkspaceSlug, name: z.string(), role: Role })),
  sessions: z.array(SessionView),
  tokens: z.array(TokenView),
});

export type AccountExport = z.infer<typeof AccountExport>;
