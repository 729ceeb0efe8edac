import type { AlertMessage, RunListItem } from "@rigmark/results";
import { expect, it } from "vitest";
import { RunBrief } from "@/components/run/run-brief";
import { AlertBrief } from "@/components/workspace/alert-brief";
import { render } from "./words";

const finding = (entry: string) => ({
  kind: "slower" as const,
  verdict: "slower" as const,
  scenario: "static-1k-ab",
  scenario_title: "1 KB file",
  entry,
  relative_to: "nginx",
  ratio: 0.5,
  sentence: `${entry} is slower than nginx.`,
  url: "https://rigmark.example/w/ada/runs/1?x=1",
  first_run: null,
});
const alert = (entries: string[], more = 0): AlertMessage => ({
  type: "alert",
  id: "00000000-0000-4000-8000-000000000001",
  created_at: "2026-11-27T00:00:00.000Z",
  workspace: "ada",
  text: "",
  run: null,
  findings: entries.map(finding),
  more,
});

it("an alert shows its first findings, each with its page, and how many there are besides", () => {
  const html = render(<AlertBrief alert={alert(["a", "b", "c", "d"], 2)} />);
  expect(html.match(/is slower than nginx/g)).toHaveLength(3);
  expect(html).toContain('href="/w/ada/runs/1?x=1"');
  expect(html).toContain("And 3 others.");
  expect(render(<AlertBrief alert={alert(["a"])} />)).not.toContain("And");
});

it("an alert of a change names its scenario and leads to the run that began it", () => {
  const first_run = {
    id: "00000000-0000-4000-8000-000000000004",
    url: "https://rigmark.example/w/ada/runs/4",
  };
  const sentence = "The figures of a changed.";
  const change = { ...finding("a"), kind: "change" as const, sentence, first_run };
  const html = render(<AlertBrief alert={{ ...alert([]), findings: [change] }} />);
  expect(html).toContain("1 KB file: The figures of a changed.");
  expect(html).toContain('href="/w/ada/runs/4"');
});

const run = (more: Partial<RunListItem>): RunListItem => ({
  run_id: "00000000-0000-4000-8000-000000000002",
  title: "Two servers",
  state: "measuring",
  unreachable: false,
  host: { host_id: "00000000-0000-4000-8000-000000000003", name: "pi" },
  requested_by: null,
  published_by: null,
  created_at: "2026-11-27T00:00:00.000Z",
  started_at: null,
  finished_at: null,
  entries: [],
  scenarios: ["static-1k-ab"],
  repeats: 5,
  trials: { total: 10, done: 3, valid: 3, invalid: 0 },
  headline: null,
  source: null,
  sketch: null,
  tags: [],
  ...more,
});
const brief = (more: Partial<RunListItem>) => render(<RunBrief workspace="ada" run={run(more)} />);

it("a run shows how far it is while it lives, and then what it showed", () => {
  expect(brief({})).toContain("3 of 10 trials");
  expect(brief({ trials: { total: 1, done: 0, valid: 0, invalid: 0 } })).toContain("0 of 1 trial<");
  expect(brief({ trials: { total: null, done: 0, valid: 0, invalid: 0 } })).not.toContain("trials");
  const over = brief({
    state: "succeeded",
    finished_at: "2026-11-27T00:05:00.000Z",
    headline: "a is faster than b.",
  });
  expect(over).toContain("a is faster than b.");
  expect(over).not.toContain("<progress");
});
