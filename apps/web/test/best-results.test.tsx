import type { ServerBest, ServerView } from "@rigmark/results";
import { expect, it } from "vitest";
import { BestResults } from "@/components/server/best-results";
import { render } from "./words";

const best = (load: ServerBest["load"]): ServerView =>
  ({
    hosts: [],
    best: [
      {
        scenario: "files-1k-knee",
        title: "1 KB",
        workload: "files",
        tool: "loadgen",
        load,
        host: { host_id: "h", name: "board" },
        run_id: "r",
        run_title: "first",
        finished_at: null,
        label: "a",
        options: {},
        content_hash: "",
        trials: 2,
        requests_per_s: 53_231,
        lower_bound: false,
        p99_us: 1500,
        latency_bound: "at-most",
        cpu_us_per_request: null,
        rss_peak_bytes: 2_621_440,
      },
    ],
  }) as unknown as ServerView;

it("the best of a search says why it has no CPU, and no other load does", () => {
  const html = (load: ServerBest["load"]) => render(<BestResults workspace="w" server={best(load)} />);
  const loop = { connections: 64, keep_alive: true };
  const search = html({ kind: "knee", p99_us: 1000, start_per_s: 1000, most_per_s: 256_000, ...loop });
  expect(search).toContain(">unknown for a search</span>");
  expect(search).toContain('title="unknown for a search: the counters cover all its steps"');
  expect(html({ kind: "closed", ...loop })).not.toContain("unknown for a search");
});

it("a p99 at a fixed rate is written with the bound that is stored with it, and of no other load", () => {
  const html = (load: ServerBest["load"]) => render(<BestResults workspace="w" server={best(load)} />);
  const loop = { connections: 64, keep_alive: true };
  expect(html({ kind: "rate", rate_per_s: 1000, ...loop })).toContain("≤ 1.50\u00a0ms");
  expect(html({ kind: "closed", ...loop })).not.toContain("1.50");
});
