import { z } from "zod";
import { Moment } from "./scalar";

/** Names a session, and does not open it: the cookie holds another secret. */
export const SessionId = z.string().min(1).max(200);

export const SessionView = z.object({
  session_id: SessionId,
  /** The session that asks. */
  current: z.boolean(),
  /** The `User-Agent` of its browser at the sign-in; null where none was sent. */
  agent: z.string().nullable(),
  /** IP address at the sign-in; null where it was not seen. */
  address: z.string().nullable(),
  created_at: Moment,
  expires_at: Moment,
});
export const SessionList = z.object({ sessions: z.array(SessionView) });

export type SessionView = z.infer<typeof SessionView>;
export type SessionList = z.infer<typeof SessionList>;
