import { type ReportSnapshot, ReportSnapshot as Snapshot } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { compareCurves, createReport, findReportBySlug, getRunCurves } from "../src/index";
import { FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();
/** 100,000 latencies of 1 to 100,000 µs. */
const BLOB =
  "HISTFAAAAR14nO2PQW7CMBBF45+0iVpVidru2kqo6rYnqKoirtNtNxU7lBsgDsAKcRjEKdjDimUwOAgIDoTItgT8Gc/YnvGfJ7+m3SfP+3j2lPn5LpYpzLLsZ6oK4xijGL0IkxD9ADM/XwNgLjRrKNDG/4H4xZf071Wut3/iBW/SN9n9PcYD7mUo35z01Uvth7hZuZ/vu169Sv356314Bd8rlHnlhzZmEk444QZmFi1AVbPwknDCCXcJD4p2G2jMQtEVh3CDasIvDR4pu4uivZO2eKRtdxDhhBNudFCSPCaJPhnrOEAQTjjhNQY1Gu/S18nOxQGCcMIJr6FtNVvSmltRfjnhqREd4YQTbleXio5IhcplUadzLjr+nD+/Dt3fAnPlRbk=";

const SECONDS = [
  { first: 80, counts: [900, 0, 1] },
  { first: 81, counts: [900] },
];

async function measured(histogram?: string) {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const { runId, lease } = await leasedRun(ada, agent, { ...SPEC, repeats: 3 });
  await beginAttempt(agent.ctx, lease);
  const records = writeJournal(lease, {
    facts: FACTS,
    scenarios: [SCENARIO],
    rates: {},
    ...(histogram ? { histogram, over_time: SECONDS } : {}),
  });
  const first = records.find((r) => r.kind === "trial");
  if (first?.kind === "trial") first.data.status = "invalid";
  const chunks = packChunks(records, 20);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  const of = { workspace: ada.workspace, runId };
  const { curves } = await getRunCurves({ ctx: ada.ctx, input: of });
  const made = await createReport({ ctx: ada.ctx, input: { ...of, showHostName: false } });
  const { snapshot } = await findReportBySlug({ ctx: world.anonymous, input: { slug: made.slug } });
  const { runs: compared } = await compareCurves({
    ctx: ada.ctx,
    input: { workspace: ada.workspace, runIds: [runId], reports: [`${made.slug}.1`] },
  });
  return { curves, snapshot, compared };
}

describe("latency curves", () => {
  it("have the histograms of an entry's valid trials added, and are frozen as points in a report", async () => {
    const { curves, snapshot, compared } = await measured(BLOB);
    expect(curves.map((c) => [c.trials, c.count])).toEqual([
      [2, 200_000],
      [3, 300_000],
    ]);
    expect(curves[0]?.points.find((x) => x.p === 99.99)?.us).toBeCloseTo(99_990, -3);
    expect(curves[0]).toMatchObject({ scenario: SCENARIO.id, corrected: false, note: null });
    expect(snapshot.runs[0]?.curves).toEqual(curves);
    const curvesAlone = curves.map(({ over_time: _, ...curve }) => curve);
    expect(compared).toMatchObject([curvesAlone, curvesAlone]);
    expect(JSON.stringify(snapshot)).not.toContain(BLOB);
  });

  it("are told over time as a tool told them, of each valid trial", async () => {
    const { curves, snapshot } = await measured(BLOB);
    const columns = (curve: number) =>
      curves[curve]?.over_time?.columns.map((c) => [c.block, c.from_s, c.counts]);
    const trial = (block: number) => [
      [block, 0, [900, 0, 1]],
      [block, 1, [0, 900, 0]],
    ];
    expect([columns(0)?.length, columns(1)]).toEqual([4, [0, 1, 2].flatMap(trial)]);
    expect(curves[0]?.over_time?.edges_us).toHaveLength(4);
    expect(snapshot.runs[0]?.curves.map((c) => c.over_time)).toEqual(curves.map((c) => c.over_time));
  });

  it("are none for a tool that gives no histogram, and none in a report from before there were any", async () => {
    const { curves, snapshot } = await measured();
    expect(curves).toEqual([]);
    const old = structuredClone(snapshot) as ReportSnapshot & { runs: { curves?: unknown }[] };
    for (const one of old.runs) delete (one as { curves?: unknown }).curves;
    expect(Snapshot.parse(old).runs[0]?.curves).toEqual([]);
  });

  it("are without points, and say why, where a histogram cannot be read", async () => {
    const { curves } = await measured(BLOB.slice(0, 200));
    expect(curves.every((c) => c.points.length === 0)).toBe(true);
    expect(curves[0]?.note).toContain("cannot be read");
  });
});
