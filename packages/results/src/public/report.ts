import { Id } from "@rigmark/protocol";
import { z } from "zod";
import { REPORT_DAYS } from "../choices";
import { MOST_IN_REPORT } from "../comparable";
import { ReportVisibility } from "../view/report";
import { ReportSlug } from "../view/scalar";
import { Address, At } from "./scalar";

export const ReportBrief = z
  .object({
    slug: ReportSlug,
    url: Address,
    title: z.string(),
    created_at: At,
    revoked_at: At.nullable(),
    visibility: ReportVisibility,
    expires_at: At.nullable(),
    json_url: Address,
    markdown_url: Address,
    picture_url: Address.describe("PNG, 1200 × 630."),
    badge_url: Address.describe("SVG."),
  })
  .meta({ id: "Report" });
export type ReportBrief = z.infer<typeof ReportBrief>;

export const ReportRequest = z
  .strictObject({
    run_ids: z.array(Id).min(1).max(MOST_IN_REPORT).describe("The first one gives the report its verdict."),
    title: z.string().trim().min(1).max(120).optional(),
    visibility: ReportVisibility.optional().describe(
      "`link` (the default): whoever has the address; `public`: listed in Explore as well; `private`: signed-in members of the workspace.",
    ),
    expires_in_days: z.literal(REPORT_DAYS).optional().describe("Without it the report does not expire."),
  })
  .meta({ id: "ReportRequest" });
