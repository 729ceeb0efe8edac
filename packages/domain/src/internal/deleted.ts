import type { Ctx } from "../context";
import { DomainError } from "../error";
import { inWords, later } from "./moment";

/** How long a deleted run or workspace can be restored. After that a sweep removes it. */
const KEPT_S = 7 * 86_400;

export const keptUntil = (deletedAt: Date): Date => later(deletedAt, KEPT_S);

/** What was deleted at this moment, or before, is not kept any more. */
export const oldestKept = (now: Date): Date => later(now, -KEPT_S);

/**
 * Refuses a deleted run to whoever may see its workspace, with the date until which it can be restored; after that with
 * the words for a run that never was.
 */
export function refuseDeleted(ctx: Ctx, deletedAt: Date | null, unknown: string): void {
  if (deletedAt === null) return;
  if (deletedAt <= oldestKept(ctx.now())) throw new DomainError("not_found", unknown);
  const until = inWords(keptUntil(deletedAt));
  throw new DomainError("gone", `This run was deleted. It can be restored until ${until}.`);
}
