import { z } from "zod";

/** Full name of a commit: 40 small hexadecimal digits. */
export const Commit = z.string().regex(/^[0-9a-f]{40}$/, "a commit is 40 lower-case hexadecimal digits");

const PART = "[A-Za-z0-9_][A-Za-z0-9_.~-]{0,99}";
const PATH = `${PART}(/${PART}){1,5}`;
const HOST = "[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?";
/** `owner/name` (or deeper), or an address without a password: https, http, ssh, or `git@host:owner/name`. */
const REPOSITORY = new RegExp(
  `^(${PATH}|https?://${HOST}(:\\d{1,5})?/${PATH}/?|ssh://git@${HOST}(:\\d{1,5})?/${PATH}|git@${HOST}:${PATH})$`,
);

/** A branch as Git allows it, without control characters, spaces and what Git itself refuses. */
const Branch = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}\s~^:?*[\\]+$/u, "a branch has no spaces and none of ~ ^ : ? * [ \\");

/** Which commit was measured, as the one who queued or published the run said. Nothing here is checked at a forge. */
export const Source = z.strictObject({
  repository: z.string().max(300).regex(REPOSITORY, "write owner/name, or an address without a password"),
  commit: Commit,
  branch: Branch.nullable().default(null),
  pull_request: z.int().min(1).max(2_147_483_647).nullable().default(null),
  /** What the commit was compared with. */
  base_commit: Commit.nullable().default(null),
  /** The worktree had changes that no commit has. */
  dirty: z.boolean().default(false),
});
export type Source = z.infer<typeof Source>;
