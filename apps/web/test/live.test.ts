import type { LogView, RunView, SeriesPoint, WatchEvent } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { droppedLines, KEEP_LOGS, mergeEvent, mergePoll, rereadMs, stageOf, startLive } from "@/lib/live";
import { averageNeighbors } from "@/lib/live-points";

const point = (t_s: number, rate: number | null = 1): SeriesPoint => ({
  t_s,
  window: t_s < 0 ? "warm-up" : "measure",
  requests_per_s: rate,
  rate_source: "tool",
  bytes_per_s: null,
  server_cpu_cores: null,
  tool_cpu_cores: null,
  server_rss_bytes: null,
});
const line = (seq: number): LogView => ({
  seq,
  t_s: seq,
  source: "agent",
  level: "info",
  entry_key: null,
  trial_id: null,
  line: `line ${seq}`,
});
const run = (over: Partial<RunView> = {}) => ({ attempt_no: 1, state: "measuring", ...over }) as RunView;
const points = (trial_id: string, ...list: SeriesPoint[]): WatchEvent => ({
  kind: "points",
  trial_id,
  entry_key: "k",
  points: list,
});

describe("a live run", () => {
  it("appends points, and takes those that come twice once", () => {
    let live = startLive(run());
    live = mergeEvent(live, points("t", point(0), point(1)));
    live = mergeEvent(live, points("t", point(1, 7), point(2)));
    expect(live.series.get("t")?.points.map((p) => [p.t_s, p.requests_per_s])).toEqual([
      [0, 1],
      [1, 7],
      [2, 1],
    ]);
  });

  it("starts over with a new attempt, whose trials have the ids of the old one's", () => {
    const old = mergeEvent(startLive(run()), points("t", point(0), point(1)));
    const fresh = { trial_id: "t", entry_key: "k", points: [point(0, 7)], downsampled: false };
    const polled = mergePoll(old, run({ attempt_no: 2 }), [fresh], []);
    expect(polled.series.get("t")?.points).toEqual([point(0, 7)]);
    const streamed = mergeEvent(old, { kind: "run", run: run({ attempt_no: 2 }) } as WatchEvent);
    expect(streamed.series.size).toBe(0);
  });

  it("keeps log lines in order without repeats, and not for ever", () => {
    let live = mergeEvent(startLive(run(), [], [line(1), line(2)]), {
      kind: "logs",
      lines: [line(2), line(3)],
    });
    expect(live.logs.map((l) => l.seq)).toEqual([1, 2, 3]);
    live = mergeEvent(live, {
      kind: "logs",
      lines: Array.from({ length: KEEP_LOGS + 5 }, (_, i) => line(i + 4)),
    });
    expect(live.logs).toHaveLength(KEEP_LOGS);
    expect(live.logs.at(-1)?.seq).toBe(KEEP_LOGS + 8);
  });

  it("names the lines that it let go, so that none is missing behind older ones", () => {
    const [before, now] = [[3, 4, 5, 6].map(line), [5, 6, 7].map(line)];
    const seqs = (kept: number[]) => droppedLines(before, now, kept.map(line)).map((l) => l.seq);
    expect(seqs([1, 2])).toEqual([3, 4]);
    expect(seqs([1, 2, 3])).toEqual([4]);
    expect(droppedLines(before, before, [])).toEqual([]);
  });

  it("merges the run's rows and keeps what they lack", () => {
    const live = mergeEvent(startLive(run({ title: "kept", reports: [] })), {
      kind: "run",
      run: { state: "uploading", attempt_no: 1 },
    });
    expect(live.run.state).toBe("uploading");
    expect(live.run.title).toBe("kept");
  });

  it("changes the fields and the trials that it is told of, and no others", () => {
    const trial = (trial_id: string, progress: number) =>
      ({ trial_id, progress }) as RunView["trials"][number];
    let live = startLive(run({ title: "kept", trials: [trial("a", 1), trial("b", 0)] }));
    live = mergeEvent(live, { kind: "trials", trials: [trial("b", 0.5)] });
    live = mergeEvent(live, { kind: "run", run: { state: "uploading" } });
    expect(live.run).toMatchObject({ title: "kept", state: "uploading" });
    expect(live.run.trials).toEqual([trial("a", 1), trial("b", 0.5)]);
    expect(mergeEvent(live, { kind: "unchanged" })).toBe(live);
  });

  it("knows the environment from the moment that it is told", () => {
    const environment = { sandboxed: true } as NonNullable<RunView["environment"]>;
    const live = mergeEvent(startLive(run({ environment: null })), { kind: "environment", environment });
    expect(live.run.environment).toEqual(environment);
    expect(mergeEvent(live, { kind: "environment", environment: null }).run.environment).toBeNull();
  });

  it("starts over with a new attempt", () => {
    const old = mergeEvent(startLive(run()), points("t", point(0)));
    const live = mergeEvent(old, { kind: "run", run: run({ attempt_no: 2 }) });
    expect(live.series.size).toBe(0);
  });

  it("adds a poll's response to what came by stream", () => {
    const streamed = mergeEvent(startLive(run()), points("t", point(0), point(1), point(2)));
    const live = mergePoll(
      streamed,
      run({ state: "succeeded" }),
      [{ trial_id: "t", entry_key: "k", points: [point(0), point(1)], downsampled: false }],
      [line(1)],
    );
    expect(live.series.get("t")?.points).toHaveLength(3);
    expect(live.run.state).toBe("succeeded");
  });
});

describe("downsampling", () => {
  it("means neighbors, keeps windows apart and unknown unknown", () => {
    const many = Array.from({ length: 100 }, (_, i) => point(i - 10, i === 50 ? null : 2));
    const few = averageNeighbors(many, 20);
    expect(few.length).toBeLessThanOrEqual(21);
    expect(few.every((p) => p.requests_per_s === 2)).toBe(true);
    expect(few.filter((p) => p.window === "warm-up").every((p) => p.t_s < 0)).toBe(true);
    expect(averageNeighbors([point(0, null), point(1, null)], 1)[0]?.requests_per_s).toBeNull();
  });

  it("leaves alone what fits", () => {
    const few = [point(0), point(1)];
    expect(averageNeighbors(few, 10)).toEqual(few);
  });
});

describe("what a page still waits for", () => {
  it("is the stream's word while a run lives, late data where it is incomplete, and else nothing", () => {
    const stage = (state: RunView["state"], final = true) => stageOf({ state, final });
    expect(stage("measuring", false)).toBe("live");
    expect(stage("incomplete")).toBe("late");
    expect((["succeeded", "failed", "cancelled", "timed_out"] as const).map((s) => stage(s))).toEqual(
      Array(4).fill("whole"),
    );
  });

  it("has the rows of an incomplete run read again, seldom, and those of a whole one never", () => {
    expect(rereadMs("whole", true)).toBeNull();
    expect(rereadMs("late", true)).toBeGreaterThanOrEqual(15_000);
    expect(rereadMs("late", true)).toBeLessThanOrEqual(30_000);
    expect(rereadMs("live", false)).toBeLessThan(10_000);
  });
});
