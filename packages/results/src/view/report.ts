import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { REPORT_DAYS, REPORT_VISIBILITIES } from "../choices";
import { Moment, ReportSlug } from "./scalar";
import { ReportSnapshot } from "./snapshot";

export const ReportVisibility = z.enum(REPORT_VISIBILITIES);
export const ReportDays = z.literal(REPORT_DAYS).nullable();

export const ReportCreated = z.object({
  report_id: Id,
  slug: ReportSlug,
  url: z.string(),
  /** Others cannot open a link to a private address; the page says so. */
  public_url_is_private: z.boolean(),
});

export const ReportListItem = z.object({
  report_id: Id,
  slug: ReportSlug,
  url: z.string(),
  title: z.string(),
  run_id: Id,
  host_name: z.string(),
  created_at: Moment,
  revoked_at: Moment.nullable(),
  visibility: ReportVisibility,
  expires_at: Moment.nullable(),
  expired: z.boolean(),
  /** The verdict sentence. */
  headline: z.string().nullable(),
});
export const ReportList = z.object({
  /** Newest first. */
  reports: z.array(ReportListItem),
  next_cursor: z.string().nullable(),
  public_url_is_private: z.boolean(),
});

/** A report as its reader gets it. Everything in `snapshot` is frozen. */
export const ReportView = z.object({
  slug: ReportSlug,
  url: z.string(),
  snapshot: ReportSnapshot,
  /** What "copy Markdown" puts on the clipboard; the same as `<url>.md`, or `<url>.md?lang=zh`. */
  markdown: z.string(),
  public_url_is_private: z.boolean(),
  /** Nobody but members of its workspace can open it. */
  members_only: z.boolean(),
});

export type ReportVisibility = z.infer<typeof ReportVisibility>;
export type ReportDays = z.infer<typeof ReportDays>;
export type ReportCreated = z.infer<typeof ReportCreated>;
export type ReportListItem = z.infer<typeof ReportListItem>;
export type ReportList = z.infer<typeof ReportList>;
export type ReportView = z.infer<typeof ReportView>;
