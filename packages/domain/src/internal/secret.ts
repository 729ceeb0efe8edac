import { createHash, randomBytes } from "node:crypto";

/** 256 random bits behind a prefix by which a leaked one is recognized. */
export const newSecret = (prefix: string): string => prefix + randomBytes(32).toString("base64url");
/** What is stored of a secret. */
export const hashSecret = (secret: string) => createHash("sha256").update(secret).digest();
export const sha256Hex = (data: Uint8Array | string): string =>
  createHash("sha256").update(data).digest("hex");
/** 128 random bits: who has them may read the report. */
export const newReportSlug = (): string => randomBytes(16).toString("base64url");
