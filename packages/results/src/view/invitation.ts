import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { Moment, WorkspaceSlug } from "./scalar";
import { Role } from "./workspace";

/** Nobody becomes an owner by a link: an owner makes them one afterwards. */
export const InvitedRole = Role.exclude(["owner"]);
export const Email = z.email().max(254);
export const InvitationToken = z.string().max(200);

export const InvitationView = z.object({
  invitation_id: Id,
  role: InvitedRole,
  /** Only an account with this address may accept; null: whoever has the link. */
  email: z.string().nullable(),
  state: z.enum(["waiting", "used", "revoked", "expired"]),
  created_by: z.string().nullable(),
  created_at: Moment,
  expires_at: Moment,
  used_by: z.string().nullable(),
});
export const InvitationList = z.object({ invitations: z.array(InvitationView) });

export const InvitationCreated = z.object({
  /** Shown once; only the sha256 of its token is kept. Null: it went by mail to the address, and nowhere else. */
  url: z.string().nullable(),
  email: z.string().nullable(),
  expires_at: Moment,
  public_url_is_private: z.boolean(),
});

/** An invitation as whoever has its link sees it. */
export const Invited = z.object({
  state: z.enum(["usable", "used", "revoked", "expired", "unknown"]),
  /** Null for an unknown one. */
  workspace: z.string().nullable(),
  role: InvitedRole.nullable(),
  /** Who sent it; null when they have no account any more. */
  inviter: z.string().nullable(),
  email: z.string().nullable(),
  /** Whoever has this link has shown that the address is theirs. */
  proved: z.boolean(),
  /** Address of the workspace where whoever asks belongs to it already. */
  joined: WorkspaceSlug.nullable(),
});
export const InvitationAccepted = z.object({ workspace: WorkspaceSlug });

export type InvitedRole = z.infer<typeof InvitedRole>;
export type InvitationView = z.infer<typeof InvitationView>;
export type InvitationList = z.infer<typeof InvitationList>;
export type InvitationCreated = z.infer<typeof InvitationCreated>;
export type Invited = z.infer<typeof Invited>;
export type InvitationAccepted = z.infer<typeof InvitationAccepted>;
