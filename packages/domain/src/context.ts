import type { Db } from "@rigmark/db";
import type { Scope } from "@rigmark/results";
import type { Bus } from "./internal/bus";
import type { Quotas } from "./internal/quota";
import type { Networks } from "./networks";

/** By which token somebody asks, and what that may do. */
export interface Grant {
  tokenId: string;
  name: string;
  scopes: readonly Scope[];
  /** The one workspace that it works in; null: all of its person's. */
  workspaceId: string | null;
  expiresAt: Date | null;
}

/** Who asks. Each verb decides by this and by nothing else. */
export type Actor =
  | { kind: "user"; userId: string; name: string; email: string; sessionId?: string; token?: Grant }
  /** A token that belongs to a workspace and to no person. */
  | { kind: "workspace"; workspaceId: string; token: Grant }
  | { kind: "agent"; workspaceId: string; hostId: string }
  | { kind: "anonymous" }
  /** The launcher and the sweeper. */
  | { kind: "system" };

export interface Config {
  /** Origin that links are made of, without a slash at its end. */
  publicUrl: string;
  version: string;
  /** Who may make an account: `open`, `closed`, or the one domain whose addresses may. */
  signUp: string;
  /** Boot of the machine that this runs on, to tell whether a host is the same machine; null when unknown. */
  bootId: string | null;
  /** Seconds that are added to the deadline of a run. A run that is told to stop at its deadline gets them once more. */
  graceS: number;
  /** How long a lease request is held. */
  longPollMs: number;
  /** Networks that webhooks may reach although they are private; null: none. */
  webhookNetworks: Networks | null;
  /** What the nonces that agents sign are recognized by; the same in all processes. */
  nonceSecret: string;
  quotas: Quotas;
}

export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Ctx {
  actor: Actor;
  db: Db;
  bus: Bus;
  config: Config;
  log: Logger;
  now(): Date;
  /** Ends when whoever asked has gone. */
  signal?: AbortSignal;
}

/** What a verb takes. */
export interface Call<Input> {
  ctx: Ctx;
  input: Input;
}
