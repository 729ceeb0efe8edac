import { z } from "zod";
import { KEEP_TAG, LEAST_RETENTION_DAYS, MOST_RETENTION_DAYS } from "../retention";
import { Moment } from "./scalar";

/** Days after its end from which on a run is deleted by itself; null: never. */
export const RetentionDays = z.int().min(LEAST_RETENTION_DAYS).max(MOST_RETENTION_DAYS);

/** What a workspace stores, and what a rule would delete of it now. */
export const RetentionView = z.object({
  /** The rule in force. */
  days: RetentionDays.nullable(),
  /** Journals, raw output and reports, counted before compression. */
  stored_bytes: z.number(),
  /** What the installation allows; null: no limit. */
  stored_bytes_most: z.number().nullable(),
  /** Of the rule that was asked about; null: no rule was. */
  would_delete: z
    .object({ runs: z.int(), bytes: z.number(), oldest_at: Moment.nullable(), newest_at: Moment.nullable() })
    .nullable(),
  keep_tag: z.literal(KEEP_TAG),
});
export type RetentionView = z.infer<typeof RetentionView>;
