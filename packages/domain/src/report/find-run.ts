import type { ReportRun, ReportRunName } from "@rigmark/results";
import type { Ctx } from "../context";
import { DomainError } from "../error";
import { type Found, findSnapshot } from "./internal/find-snapshot";

/** Text of the reports that one call may read. */
const MOST_BYTES = 32 * 1024 ** 2;

interface FoundRun {
  run: ReportRun;
  created_at: string;
}

/** A run as a report keeps it, for whoever may read the report. */
export const findReportRun = (ctx: Ctx, name: ReportRunName): Promise<FoundRun> => reportRuns(ctx)(name);

/** The same for several of them in one call: each report is read once, however many of its runs are asked for. */
export function reportRuns(ctx: Ctx): (name: ReportRunName) => Promise<FoundRun> {
  const reports = new Map<string, Promise<Found>>();
  let bytes = 0;
  const read = async (slug: string): Promise<Found> => {
    const found = await findSnapshot(ctx, slug);
    bytes += found.bytes;
    return found;
  };
  return async (name) => {
    const [slug = "", place] = name.split(".");
    const reading = reports.get(slug) ?? read(slug);
    reports.set(slug, reading);
    const { snapshot } = await reading;
    if (bytes > MOST_BYTES)
      throw new DomainError(
        "invalid",
        `These reports together are larger than ${MOST_BYTES / 1024 ** 2} MiB; choose fewer of them at once.`,
      );
    const run = snapshot.runs[Number(place) - 1];
    if (!run) throw new DomainError("not_found", `This report has no run ${place}; open it again.`);
    return { run, created_at: snapshot.created_at };
  };
}
