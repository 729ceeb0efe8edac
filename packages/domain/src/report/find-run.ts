import type { ReportRun, ReportRunName } from "@rigmark/results";
import type { Ctx } from "../context";
import { DomainError } from "../error";
import { findSnapshot } from "./internal/find-snapshot";

/** A run as a report keeps it, for whoever may read the report. */
export async function findReportRun(
  ctx: Ctx,
  name: ReportRunName,
): Promise<{ run: ReportRun; created_at: string }> {
  const [slug = "", place] = name.split(".");
  const { snapshot } = await findSnapshot(ctx, slug);
  const run = snapshot.runs[Number(place) - 1];
  if (!run) throw new DomainError("not_found", `This report has no run ${place}; open it again.`);
  return { run, created_at: snapshot.created_at };
}
