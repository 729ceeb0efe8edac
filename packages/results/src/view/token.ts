import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { Moment, WorkspaceSlug } from "./scalar";

/** What a token may do. `queue` and `publish` include `read`; `admin` includes all. */
export const Scope = z.enum(["read", "queue", "publish", "admin"]);
export const SCOPES = Scope.options;

/** One line for each scope, for whoever chooses. */
export const SCOPE_WORDS: Record<Scope, string> = {
  read: "See hosts, runs, results and reports.",
  queue: "Queue and cancel runs, make and revoke reports. Includes read.",
  publish: "Publish runs that were made elsewhere. Includes read.",
  admin: "Everything that you may do here, such as removing hosts.",
};

/** Whether a token with these scopes has that one. */
export const hasScope = (scopes: readonly Scope[], wanted: Scope): boolean =>
  scopes.includes("admin") || scopes.includes(wanted) || (wanted === "read" && scopes.length > 0);

/** Days that a token may live; null: without an end. */
export const TOKEN_DAYS = [30, 90, 365] as const;
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
