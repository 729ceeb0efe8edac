import { createReportAsSystem } from "@rigmark/domain";
import type { Home } from "../up/home";
import { makeHost, makeRun } from "./made-run";

const [SERVERS, SCENARIOS, REPEATS] = [12, 5, 10];

export interface PublicReport {
  reportId: string;
  slug: string;
  trials: number;
}

/** A public report of 12 servers × 5 scenarios × 10 repeats. */
export async function makePublicReport(home: Home): Promise<PublicReport> {
  const runId = await makeRun(home, await makeHost(home), {
    title: "12 servers, 5 loads",
    servers: SERVERS,
    scenarios: SCENARIOS,
    repeats: REPEATS,
    seed: 1,
  });
  const made = await createReportAsSystem({ ctx: home.ctx, input: { workspace: home.workspace, runId } });
  return { reportId: made.report_id, slug: made.slug, trials: SERVERS * SCENARIOS * REPEATS };
}
