import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { SCOPES, TOKEN_DAYS } from "../choices";
import { Moment, WorkspaceSlug } from "./scalar";

export const Scope = z.enum(SCOPES);

export const TokenDays = z.union(TOKEN_DAYS.map((days) => z.literal(days))).nullable();

export const TokenName = z.string().trim().min(1).max(80);
export const TokenScopes = z
  .array(Scope)
  .min(1, "choose at least one")
  .max(SCOPES.length)
  .refine((scopes) => new Set(scopes).size === scopes.length, { message: "a scope is named twice" });

export const TokenView = z.object({
  token_id: Id,
  name: z.string(),
  scopes: z.array(Scope),
  /** The first characters of the token, such as `rgm_AbCd`. */
  prefix: z.string(),
  /** The one workspace that it works in; null: all of its person's. */
  workspace: z.object({ slug: WorkspaceSlug, name: z.string() }).nullable(),
  created_by: z.string().nullable(),
  created_at: Moment,
  expires_at: Moment.nullable(),
  /** To the minute; null: never used. */
  last_used_at: Moment.nullable(),
  revoked_at: Moment.nullable(),
  expired: z.boolean(),
});
export const TokenList = z.object({
  tokens: z.array(TokenView),
  /** Whether the one who asks may create and revoke here. */
  may_change: z.boolean(),
});
export const TokenCreated = z.object({
  /** Shown once; only its sha256 is kept. */
  token: z.string(),
  view: TokenView,
});

export type Scope = z.infer<typeof Scope>;
export type TokenDays = z.infer<typeof TokenDays>;
export type TokenView = z.infer<typeof TokenView>;
export type TokenList = z.infer<typeof TokenList>;
export type TokenCreated = z.infer<typeof TokenCreated>;
