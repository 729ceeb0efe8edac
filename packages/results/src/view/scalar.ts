import { z } from "zod";

/** A moment, as ISO 8601 in UTC. */
export const Moment = z.iso.datetime();
/** A workspace's name in addresses. */
export const WorkspaceSlug = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);
/** 128 random bits, base64url: who has it may read the report. */
export const ReportSlug = z.string().regex(/^[A-Za-z0-9_-]{22}$/);
/** One of a report's runs: the report's slug, and the run's place on its page from 1, such as `…slug….1`. */
export const ReportRunName = z.string().regex(/^[A-Za-z0-9_-]{22}\.[1-8]$/);
export const Nothing = z.strictObject({ ok: z.literal(true) });
export type ReportRunName = z.infer<typeof ReportRunName>;
export type Nothing = z.infer<typeof Nothing>;
