import type { Leaderboard, LeaderboardMatrix } from "@rigmark/results";
import { TRPCError } from "@trpc/server";
import { describe, expect, it } from "vitest";
import { toCsv } from "@/lib/csv";
import {
  askedIn,
  csvPath,
  leaderboardPath,
  MATRIX_PATH,
  matrixFilter,
  scenarioNamed,
  sortedBy,
} from "@/lib/explore-path";
import { csvResponse, leaderboardRows, matrixRows } from "@/server/leaderboard-csv";

const ORIGIN = "https://rigmark.example";
const SLUG = "s".repeat(22);
const row = {
  label: "epoll",
  server: "epoll",
  ratio: { estimate: 1.25, low: 1.1, high: 1.4 },
  verdict: "faster" as const,
  machine: "Raspberry Pi 5, Cortex-A76 × 4, aarch64",
  slug: SLUG,
  run: 1,
  created_at: "2026-11-26T12:00:00.000Z",
};
const scenario = (metric: Leaderboard["metric"]) => ({
  scenario: `plaintext-${metric}`,
  title: "Plaintext, ab",
  tool: "ab" as const,
  metric,
});

describe("the tables of Explore as CSV", () => {
  it("have a row for each ratio of a leaderboard, with the address of its results", () => {
    const board: Leaderboard = {
      ...scenario("requests_per_s"),
      request: null,
      rows: [row, { ...row, label: "=1+1", verdict: "no-difference", run: 2 }],
      ...{ left_out: [], archs: [], cpus: [] },
    };
    const report = `${ORIGIN}/r/${SLUG}`;
    expect(toCsv(leaderboardRows(board, ORIGIN)).split("\r\n")).toEqual([
      "scenario,title,metric,label,server,machine,ratio,low,high,verdict,report_url,report_created_at",
      `plaintext-requests_per_s,"Plaintext, ab",requests_per_s,epoll,epoll,"${row.machine}",1.25,1.1,1.4,faster,${report}#scenario-plaintext-requests_per_s,${row.created_at}`,
      `plaintext-requests_per_s,"Plaintext, ab",requests_per_s,'=1+1,epoll,"${row.machine}",1.25,1.1,1.4,no difference shown,${report}#run-2-scenario-plaintext-requests_per_s,${row.created_at}`,
      "",
    ]);
  });

  it("have a row for each cell of the table of all servers, and none for what was not measured", () => {
    const of = { label: "epoll", server: "epoll", cpu: "Cortex-A76 × 4", arch: "", overall: null };
    const matrix: LeaderboardMatrix = {
      scenarios: [scenario("requests_per_s"), scenario("p99_us")],
      rows: [
        { ...of, cells: [row, null] },
        { ...of, cells: [row, { ...row, verdict: "slower" }] },
      ],
      left_out: 0,
      choices: { entry: [], scenario: [] },
      ...{ archs: [], cpus: [] },
    };
    const [head, ...rows] = matrixRows(matrix, ORIGIN);
    expect(head?.slice(-3)).toEqual(["report_created_at", "cpu", "arch"]);
    expect(rows.map(([name]) => name)).toEqual([
      "plaintext-requests_per_s",
      "plaintext-requests_per_s",
      "plaintext-p99_us",
    ]);
    for (const each of rows) expect(each).toHaveLength(head?.length ?? 0);
    expect(toCsv(rows).trimEnd().endsWith(",Cortex-A76 × 4,")).toBe(true);
  });

  it("are files that are asked for anew each time, and a plain 404 where there is none", async () => {
    const name = "files-1k-ab:connections=200";
    const found = await csvResponse(async () => ({ name, rows: [["ratio"], [1.25]] }));
    expect(found.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(found.headers.get("content-disposition")).toBe(
      'attachment; filename="rigmark-files-1k-ab-connections-200.csv"',
    );
    expect(found.headers.get("cache-control")).toBe("no-cache");
    expect(await found.text()).toBe("ratio\r\n1.25\r\n");
    const none = await csvResponse(() => Promise.reject(new TRPCError({ code: "NOT_FOUND" })));
    expect([none.status, none.headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"]);
    expect(await none.text()).toContain("no public report has this scenario");
    await expect(csvResponse(() => Promise.reject(new Error("down")))).rejects.toThrow("down");
  });
});

describe("the address of a table as CSV", () => {
  it("has the query of its page, which is read as on the page", () => {
    const filter = { arch: "aarch64", entry: ["epoll", "a & b"], scenario: ["plaintext-ab"] };
    const { pathname, searchParams } = new URL(csvPath(MATRIX_PATH, filter, "plaintext-ab"), ORIGIN);
    expect(pathname).toBe("/explore/servers/csv");
    expect(matrixFilter(askedIn(searchParams))).toEqual(filter);
    expect(sortedBy(askedIn(searchParams))).toBe("plaintext-ab");
    expect(sortedBy(askedIn(new URLSearchParams("by=a&by=b")))).toBeUndefined();
  });

  it("names the scenario, whether or not it comes escaped", () => {
    const name = "files-1k-ab:connections=200";
    const path = csvPath(leaderboardPath(name), {});
    expect(path).toBe(`/explore/${encodeURIComponent(name)}/csv`);
    expect([scenarioNamed(path.split("/")[2] ?? ""), scenarioNamed(name)]).toEqual([name, name]);
    expect(scenarioNamed("100%")).toBe("100%");
  });
});
