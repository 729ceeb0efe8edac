import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { Moment } from "./scalar";

/** What the log of a workspace records. */
export const AuditWhat = z.enum([
  "invitation-created",
  "invitation-revoked",
  "invitation-accepted",
  "role-changed",
  "member-removed",
  "member-left",
  "host-key-created",
  "host-enrolled",
  "host-renamed",
  "host-revoked",
  "token-created",
  "token-revoked",
  "runs-deleted",
  "runs-restored",
  "report-revoked",
  "report-access-changed",
  "badge-created",
  "badge-deleted",
  "workspace-created",
  "workspace-renamed",
  "retention-changed",
  "workspace-exported",
  "workspace-deleted",
  "workspace-restored",
]);

/** The verb of the sentence that begins with who did it and ends with to what. */
export const AUDIT_WORDS: Record<AuditWhat, string> = {
  "invitation-created": "invited",
  "invitation-revoked": "revoked the invitation of",
  "invitation-accepted": "joined as",
  "role-changed": "changed the role of",
  "member-removed": "removed the member",
  "member-left": "left the workspace",
  "host-key-created": "made a key for a new host",
  "host-enrolled": "enrolled the host",
  "host-renamed": "renamed a host to",
  "host-revoked": "removed the host",
  "token-created": "made the token",
  "token-revoked": "revoked the token",
  "runs-deleted": "deleted",
  "runs-restored": "restored",
  "report-revoked": "revoked the report",
  "report-access-changed": "changed who can read the report",
  "badge-created": "made a badge of",
  "badge-deleted": "deleted the badge of",
  "workspace-created": "made the workspace",
  "workspace-renamed": "renamed the workspace to",
  "retention-changed": "changed after how long runs are deleted to",
  "workspace-exported": "exported the workspace",
  "workspace-deleted": "deleted the workspace",
  "workspace-restored": "restored the workspace",
};

export const AuditEvent = z.object({
  event_id: Id,
  at: Moment,
  /** The name at that time. */
  actor: z.string(),
  /** The token that the person used; null: a browser. */
  token: z.string().nullable(),
  what: AuditWhat,
  /** To what; empty where the verb says all. */
  subject: z.string(),
});
export const AuditPage = z.object({
  events: z.array(AuditEvent),
  next_cursor: z.string().nullable(),
});

export type AuditWhat = z.infer<typeof AuditWhat>;
export type AuditEvent = z.infer<typeof AuditEvent>;
export type AuditPage = z.infer<typeof AuditPage>;
