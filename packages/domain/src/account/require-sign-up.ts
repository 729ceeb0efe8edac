import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { requireSystem } from "../internal/access";
import { CLAIM_WORDS, claimLink, useClaimLink } from "../internal/claim-link";
import { findInvitation, INVITATION_WORDS, refuseUnusable, useInvitation } from "../internal/invitation";

interface Input {
  email: string;
  /** Of the link for the first owner. */
  claimToken: string | null;
  /** Of an invitation to a workspace. */
  invitationToken: string | null;
  /** The account is made now, which uses a link up. */
  making: boolean;
}

interface SignUpAllowed {
  /** By a link, whatever `SIGN_UP` says. */
  invited: boolean;
  /** The link shows that the address is theirs, or that nobody needs to know. */
  proved: boolean;
}

/**
 * Throws unless this installation lets somebody with this address make an account. Whoever holds the link for the first
 * owner, or an invitation, may once, whatever `SIGN_UP` says.
 */
export async function requireSignUp({ ctx, input }: Call<Input>): Promise<SignUpAllowed> {
  requireSystem(ctx);
  const { signUp } = ctx.config;
  if (input.claimToken !== null) return byClaim(ctx, input.claimToken, input.making);
  if (input.invitationToken !== null) return byInvitation(ctx, input.invitationToken, input);
  if (signUp === "open") return { invited: false, proved: false };
  if (signUp === "closed")
    throw new DomainError(
      "forbidden",
      "You need an invitation to create an account on this installation. Ask an admin or an owner of a workspace for one.",
    );
  const at = input.email.lastIndexOf("@");
  if (at > 0 && input.email.slice(at + 1).toLowerCase() === signUp) return { invited: false, proved: false };
  throw new DomainError("forbidden", `Only addresses at ${signUp} can sign up on this installation.`);
}

async function byClaim(ctx: Ctx, token: string, making: boolean): Promise<SignUpAllowed> {
  const allowed = { invited: true, proved: true };
  if (making && (await useClaimLink(ctx.db, token, ctx.now()))) return allowed;
  const state = await claimLink(ctx.db, token, ctx.now());
  if (state !== "usable") throw new DomainError("forbidden", CLAIM_WORDS[state]);
  if (!making) return allowed;
  throw new DomainError("forbidden", CLAIM_WORDS.used);
}

async function byInvitation(
  ctx: Ctx,
  token: string,
  { email, making }: Pick<Input, "email" | "making">,
): Promise<SignUpAllowed> {
  const now = ctx.now();
  const { mailed } = refuseUnusable(await findInvitation(ctx.db, token), email, now);
  if (making && !(await useInvitation(ctx.db, { token, email, userId: null }, now)))
    throw new DomainError("forbidden", INVITATION_WORDS.used);
  return { invited: true, proved: mailed };
}
