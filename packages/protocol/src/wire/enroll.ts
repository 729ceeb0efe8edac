import { z } from "zod";
import { Id, Message, Name } from "../scalar";

/** Newest and oldest protocol that this side speaks. */
export const PROTOCOL_VERSION = { min: 1, max: 1 } as const;

/** 256 random bits, base64url, with a prefix so that a leaked key is recognized. */
export const EnrollKey = z.string().regex(/^rgme_[A-Za-z0-9_-]{43}$/);
/** Ed25519 public key, 32 bytes, base64url without padding. */
export const PublicKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
/** Ed25519 signature, 64 bytes, base64url without padding. */
export const Signature = z.string().regex(/^[A-Za-z0-9_-]{86}$/);

/** POST /api/agent/v1/enroll */
export const EnrollRequest = z.strictObject({
  key: EnrollKey,
  public_key: PublicKey,
  hostname: Name,
  agent_version: Name,
});
export const EnrollResponse = z.strictObject({
  host_id: Id,
  host_name: Name,
  /** Page of the host in the app, for the terminal to print. */
  host_url: z.string().max(500),
});

/** What the install script does, in this order. */
export const InstallStep = z.enum([
  "started",
  "downloaded",
  "verified",
  "agent-starts",
  "installed",
  "enrolled",
  "service",
]);
export const InstallStepState = z.enum(["done", "skipped", "failed"]);
export type InstallStep = z.infer<typeof InstallStep>;
export type InstallStepState = z.infer<typeof InstallStepState>;

/** POST /api/agent/v1/enroll/steps, with the key as `Authorization: Bearer`. */
export const EnrollStepRequest = z.strictObject({
  step: InstallStep,
  state: InstallStepState,
  /** What was done; of a failure the reason and the cure. The app keeps 300 characters. */
  text: Message,
  /** From the enrollment on: the host that the key was used for. */
  host_id: Id.optional(),
});

/** POST /api/agent/v1/session/challenge */
export const ChallengeRequest = z.strictObject({
  host_id: Id,
  protocol_min: z.int().min(1),
  protocol_max: z.int().min(1),
});
export const ChallengeResponse = z.strictObject({
  nonce: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  protocol: z.int().min(1),
});

/** The bytes that the agent signs, as UTF-8. */
export const sessionMessage = (hostId: string, nonce: string) => `rigmark-session-v1\n${hostId}\n${nonce}`;

/** POST /api/agent/v1/session */
export const SessionRequest = z.strictObject({
  host_id: Id,
  nonce: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  protocol: z.int().min(1),
  signature: Signature,
});
export const SessionResponse = z.strictObject({
  /** Opaque; sent as `Authorization: Bearer`. */
  token: z.string().regex(/^rgms_[A-Za-z0-9_-]{43}$/),
  expires_in_s: z.int().min(1),
});
