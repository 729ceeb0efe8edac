import type { Call } from "../context";
import { DomainError } from "../error";
import { requireSystem } from "../internal/access";
import { CLAIM_WORDS, claimLink, useClaimLink } from "../internal/claim-link";

/**
 * Throws unless this installation lets somebody with this address make an account. Whoever holds the link for the first
 * owner may once, whatever `SIGN_UP` says; true for them. `making`: the account is made now, which uses the link up.
 */
export async function requireSignUp({
  ctx,
  input,
}: Call<{ email: string; claimToken: string | null; making: boolean }>): Promise<{ firstOwner: boolean }> {
  requireSystem(ctx);
  const { signUp } = ctx.config;
  if (input.claimToken !== null) {
    const { claimToken, making } = input;
    if (making && (await useClaimLink(ctx.db, claimToken, ctx.now()))) return { firstOwner: true };
    const state = await claimLink(ctx.db, claimToken, ctx.now());
    if (state !== "usable") throw new DomainError("forbidden", CLAIM_WORDS[state]);
    if (!making) return { firstOwner: true };
    throw new DomainError("forbidden", CLAIM_WORDS.used);
  }
  if (signUp === "open") return { firstOwner: false };
  if (signUp === "closed")
    throw new DomainError(
      "forbidden",
      "Sign-up is closed on this installation. Ask whoever runs it to open it; the setting is SIGN_UP.",
    );
  const at = input.email.lastIndexOf("@");
  if (at > 0 && input.email.slice(at + 1).toLowerCase() === signUp) return { firstOwner: false };
  throw new DomainError("forbidden", `Only addresses at ${signUp} can sign up on this installation.`);
}
