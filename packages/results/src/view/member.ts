import { z } from "zod";
import { Moment } from "./scalar";
import { Role } from "./workspace";

/** Ids of people are the sign-in library's, not ours. */
export const UserId = z.string().min(1).max(64);

export const MemberView = z.object({
  user_id: UserId,
  name: z.string(),
  /** Null for whoever may not manage members; one's own is always there. */
  email: z.string().nullable(),
  role: Role,
  joined_at: Moment,
  /** Whether this is whoever asks. */
  you: z.boolean(),
  /** Whether whoever asks may change this one's role, and remove them. */
  may_change: z.boolean(),
});
export const MemberList = z.object({
  /** Owners first, then by name. */
  members: z.array(MemberView),
  /** The roles that whoever asks may give. */
  may_give: z.array(Role),
});

export type MemberView = z.infer<typeof MemberView>;
export type MemberList = z.infer<typeof MemberList>;
