import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { StatsError, type SummaryInput, summarize } from "../src-ts/index";
import { callModule } from "../src-ts/module";

const folder = join(import.meta.dirname, "..", "golden");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".input.json"))
  .map((file) => file.replace(".input.json", ""));

/** Indented JSON without its indentation; numbers keep their digits. */
function compact(indented: string): string {
  return indented
    .split("\n")
    .map((line) => line.trim().replace(/^("(?:[^"\\]|\\.)*"): /, "$1:"))
    .join("");
}

test("there are golden examples", () => {
  expect(names.length).toBeGreaterThan(5);
});

test.each(names)("%s: the same bytes as in Rust", (name) => {
  expect(callModule(read(`${name}.input.json`))).toBe(compact(read(`${name}.output.json`)));
});

test.each(names)("%s: the same summary", (name) => {
  const input: SummaryInput = JSON.parse(read(`${name}.input.json`));
  expect(summarize(input)).toEqual(JSON.parse(read(`${name}.output.json`)));
});

const empty: SummaryInput = {
  schema: 1,
  baseline_key: null,
  entries: [],
  scenarios: [],
  trials: [],
  failed_verification: [],
};

test("a contradiction is a typed error that says what is wrong", () => {
  const unknown = { ...empty, baseline_key: "nginx" };
  expect(() => summarize(unknown)).toThrow(StatsError);
  expect(() => summarize(unknown)).toThrow("the baseline nginx is not among the entries");
});

test("input that does not fit is a typed error", () => {
  expect(() => summarize(JSON.parse('{"schema":1}'))).toThrow(/the input does not fit/);
  expect(() => summarize(JSON.parse("null"))).toThrow(StatsError);
});

test("after an error the next call works", () => {
  expect(callModule("")).toMatch(/^\{"error":/);
  expect(summarize(empty)).toMatchObject({ schema: 1, sentence: "Nothing was measured.", scenarios: [] });
});

test("text of any script survives", () => {
  const label = "Größe 🚀 \u0000 </script>";
  const input: SummaryInput = {
    ...empty,
    entries: [{ key: "k", label }],
    scenarios: [{ id: "s", title: "t", tool: "ab", load: "closed", rate_per_s: null }],
  };
  expect(summarize(input).sentence).toBe("Nothing is ranked. Größe 🚀 </script>: not measured.");
  expect(summarize(input).sentence_zh).toBe("没有排名。Größe 🚀 </script>：未测量。");
});

// It takes about a second of processor time, and on a busy host far longer than the usual limit.
test("a hundred thousand trials are summarized, and again", { timeout: 120_000 }, () => {
  const input: SummaryInput = {
    ...empty,
    entries: ["a", "b"].map((key) => ({ key, label: key })),
    scenarios: [{ id: "s", title: "t", tool: "ab", load: "closed", rate_per_s: null }],
    trials: Array.from({ length: 100_000 }, (_, i) => ({
      trial_id: String(i),
      entry_key: i % 2 ? "a" : "b",
      scenario: "s",
      block: i >> 1,
      status: "valid" as const,
      reason: null,
      limit: "server-bound" as const,
      requests: 1000 + i,
      requests_per_s: 100 + (i % 2 ? 10 : 0) + ((i * 7919) % 13),
      failures_total: 0,
      offered: null,
      server_cpu_us: 1e6,
      server_rss_peak_bytes: 1e6,
      bytes_received: 1e6,
      percentiles: [],
      mean_us: null,
    })),
  };
  const first = summarize(input);
  expect(first.scenarios[0]?.entries[0]).toMatchObject({ entry_key: "a", rank: 1, verdict: null });
  expect(summarize(input)).toEqual(first);
});
