import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { AUDIT_WHATS } from "../choices";
import { Moment } from "./scalar";

export const AuditWhat = z.enum(AUDIT_WHATS);

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
