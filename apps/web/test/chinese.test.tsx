import { FACTS } from "@rigmark/domain/testing";
import type { ReportRun, ReportView } from "@rigmark/results";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { ForgotForm, ResetForm } from "@/components/auth/reset-forms";
import { SignInForm } from "@/components/auth/sign-in-form";
import { SignUpForm } from "@/components/auth/sign-up-form";
import { DocSearch } from "@/components/docs/doc-search";
import { ReportEmbed } from "@/components/report/report-embed";
import { ReportHead } from "@/components/report/report-head";
import { ReportRunView } from "@/components/report/report-run";
import { ReportRuns } from "@/components/report/report-runs";
import { FrontPage } from "@/components/shell/front-page";
import { ThemeSwitch } from "@/components/shell/theme-switch";
import { assignStyles } from "@/lib/series-style";
import { withCodes } from "./golden/refresh";
import goldenRun from "./golden/result.json";
import { render } from "./words";

const golden = withCodes(goldenRun);
const FINGERPRINT = "ab".repeat(32);
const zh = (sentence: string, entries: { entry_key: string }[]) => ({
  sentence: "epoll 每秒处理的请求数为 nginx 的 1.2 倍。",
  sentence_zh: "epoll 每秒处理的请求数为 nginx 的 1.2 倍。",
  entries: entries.map((e) => ({ ...e, sentence: "epoll 更快。", sentence_zh: "epoll 更快。" })),
  english: sentence,
});

const run = {
  ...golden,
  run_id: "018f0000-0000-7000-8000-000000000001",
  title: "epoll and nginx",
  state: "succeeded",
  started_at: "2026-11-20T22:31:00.000Z",
  finished_at: "2026-11-20T22:41:00.000Z",
  spec: {
    schema: 1,
    title: "epoll and nginx",
    entries: [],
    scenarios: golden.scenarios.map((s) => s.id),
    repeats: 5,
    duration_s: 3,
    warmup_s: null,
    baseline: null,
    seed: 42,
    suite: null,
    slice_s: null,
    precision: 0.02,
    max_repeats: 9,
  },
  gaps: ["3 of 40 planned trials were not measured.", "The run ended as failed: The disk is full."],
  host: {
    name: "Raspberry Pi 4",
    redacted: true,
    os_name: FACTS.os_name,
    kernel: FACTS.kernel,
    arch: FACTS.arch,
    board: FACTS.board,
    cpu_model: FACTS.cpu_model,
    cpus_online: 4,
    memory_bytes: FACTS.memory_bytes,
  },
  blocks: null,
  summary: {
    ...golden.summary,
    sentence: "epoll 更快。",
    sentence_zh: "epoll 更快。",
    scenarios: (golden.summary?.scenarios ?? []).map((s) => ({ ...s, ...zh(s.sentence, s.entries) })),
  },
  conformance: [
    {
      entry_key: golden.entries[0]?.key,
      workload: "static",
      checks: [
        {
          id: "not-found",
          title: "an unknown path is answered with 404",
          status: "failed",
          message: "HEAD /plaintext answers 404 and not 200.",
          expected_bytes: null,
          actual_bytes: null,
        },
      ],
    },
  ],
  labels: [
    { code: "unsandboxed", message: "There is no network namespace here.", entry_key: null },
    { code: "ended-early", message: "Ended after 5 of at most 9 blocks.", entry_key: null },
  ],
  environment: {
    fingerprint: FINGERPRINT,
    facts: FACTS,
    core_split: "server 0-1, tool 2-3",
    tuned: [{ name: "governor", before: "ondemand", during: "performance" }],
    load1_before: 0.1,
    sandboxed: true,
    control_plane_same_host: false,
    tools: [{ name: "ab", version: "2.3" }],
  },
  time: {
    total_us: 6e8,
    measuring_us: 3e8,
    warm_up_us: 1e8,
    verifying_us: 5e7,
    building_us: 5e7,
    starting_us: 5e7,
    waiting_us: 3e7,
    other_us: 2e7,
  },
  curves: [],
  repeat_command: "rigmark run --server epoll --server nginx",
  suite: null,
} as unknown as ReportRun;

const other = {
  ...run,
  run_id: "018f0000-0000-7000-8000-000000000002",
  environment: { ...run.environment, facts: { ...FACTS, governor: "performance", smt: true } },
} as ReportRun;

const report = {
  slug: "x",
  url: "https://rigmark.example/r/x",
  snapshot: { slug: "x", title: "epoll and nginx", created_at: "2026-11-20T22:45:00.000Z", runs: [run] },
  markdown: "",
  public_url_is_private: true,
} as unknown as ReportView;
const styles = assignStyles(run.entries.map((e) => e.key));

/** Names of products, tools, servers and workloads; units; what programs and files are called. */
const ALLOWED = new Set(
  `Rigmark GitHub JavaScript Markdown JSON CSV CPU HTTP WebSocket SMT KB KiB MiB GiB GHz MHz Ctrl UTC PUBLIC_URL
   PNG SVG
   ab wrk k6 h2load autocannon loadgen epoll nginx axum go static plaintext json-sum ws-echo upload
   req ms min core SHA-256 splitmix64 Fisher Yates Hedges Tukey rigmark doctor calibrate PUBLIC URL
   p50 p90 p97 p99 bin`
    .split(/\s+/)
    .map((word) => word.toLowerCase()),
);

const HASH = /^[0-9a-f]{20,}$/;

/** English words that a reader of Chinese is not told are English. */
function englishIn(html: string): string[] {
  const attributes = [...html.matchAll(/(?:aria-label|title|alt|placeholder)="([^"]*)"/g)].map(
    ([, text = ""]) => text,
  );
  const told = withoutForeign(html)
    .replace(/<(code|pre|bdi|script|style)\b[^>]*>[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]+>/g, " ");
  const names = run.entries
    .map((e) => e.label)
    .concat(
      // Some are somebody's own.
      run.scenarios.map((s) => s.title),
      run.host.name,
      FINGERPRINT,
    );
  const text = [told, ...attributes.map((a) => a.replace(/\u2068[^\u2069]*\u2069/g, " "))]
    .join(" ")
    .replace(/&[#\w]+;/g, " ");
  const rest = names.reduce((left, name) => left.replaceAll(name, " "), text);
  return [...new Set([...rest.matchAll(/[A-Za-z][A-Za-z0-9_-]+/g)].map(([word]) => word))].filter(
    (word) => !ALLOWED.has(word.toLowerCase()) && !HASH.test(word),
  );
}

/** Spans with a language of their own hold no other elements. */
const withoutForeign = (html: string): string =>
  html.replace(/<(\w+)[^>]* ?lang="en"[^>]*>[^<]*<\/\1>/g, " ");

describe("in Chinese no English is left without saying so", () => {
  const nothing = async () => null;
  it.each<[string, ReactNode]>([
    ["a report's head", <ReportHead key="a" report={report} />],
    ["a report's run", <ReportRunView key="b" slug={report.slug} run={run} styles={styles} place={null} />],
    ["a report in a frame", <ReportEmbed key="k" snapshot={report.snapshot} url={report.url} />],
    ["runs beside each other", <ReportRuns key="c" runs={[run, other]} styles={styles} />],
    [
      "the front page",
      <FrontPage key="d" signUp="open" unclaimed report={{ url: "/r/x", headline: null, language: "en" }} />,
    ],
    ["signing in", <SignInForm key="e" next="/" />],
    ["signing up", <SignUpForm key="f" then={nothing} />],
    ["a forgotten password", <ForgotForm key="g" mail="file" />],
    ["a new password", <ResetForm key="h" token="t" />],
    ["the search of the docs", <DocSearch key="j" />],
    ["the theme", <ThemeSwitch key="i" />],
  ])("%s", (_, node) => {
    const html = render(node, "zh");
    expect(html).toMatch(/[\u4e00-\u9fff]/);
    expect(englishIn(html)).toEqual([]);
  });

  it("and a form whose scripts are not there says so, and keeps a password out of the address", () => {
    const html = render(<SignInForm next="/" />, "zh");
    expect(html).toMatch(/^<form [^>]*method="post"/);
    expect(html).toMatch(/<noscript>.*需要 JavaScript.*<\/noscript>/);
  });

  it("and a chart without its script says where its figures are", () => {
    const html = render(<ReportRunView slug={report.slug} run={run} styles={styles} place={null} />, "zh");
    expect(html).toMatch(/<noscript><p[^>]*>图表需要 JavaScript。/);
  });

  it("and English is found where it is", () => {
    expect(englishIn("<p>没有 result</p>")).toEqual(["result"]);
    expect(englishIn('<p>没有<span lang="en">no result</span></p>')).toEqual([]);
    expect(englishIn('<p aria-label="Trials">试验</p>')).toEqual(["Trials"]);
  });

  it("and a frame says what its run lacks", () => {
    const html = render(<ReportEmbed snapshot={report.snapshot} url={report.url} />, "zh");
    expect(html).toContain("计划的 40 次试验中有 3 次没有测量。");
  });

  it("quotes the agent as English, behind the code in Chinese", () => {
    const html = render(<ReportRunView slug={report.slug} run={run} styles={styles} place={null} />, "zh");
    expect(html).toContain('没有沙箱：“<span lang="en">There is no network namespace here.</span>”');
    expect(html).toContain("未知路径的响应为 404");
    expect(html).toContain("计划的 40 次试验中有 3 次没有测量。");
  });
});

it("a report of one scenario says above its results what was loaded", () => {
  const [scenario] = run.scenarios;
  const one = {
    ...run,
    scenarios: run.scenarios.slice(0, 1),
    trials: run.trials.filter((t) => t.scenario === scenario?.id),
    summary: run.summary && {
      ...run.summary,
      scenarios: run.summary.scenarios.filter((s) => s.scenario === scenario?.id),
    },
  };
  const html = render(<ReportRunView slug={report.slug} run={one} styles={styles} place={null} />);
  expect(html).toContain(`<h2>${scenario?.title}</h2>`);
  expect(html).toContain(`id="scenario-${scenario?.id}"`);
  expect(html).toContain(`href="#scenario-${scenario?.id}" aria-label="Link to ${scenario?.title}"`);
});
