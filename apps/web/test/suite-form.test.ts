import { RunSpec, type Suite } from "@rigmark/protocol";
import type { RunOptions } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { emptyForm, problemsOf, toSpec } from "@/lib/new-run";
import { chooseSuite, leftOut, makeQuick } from "@/lib/suite-form";

const server = (name: string, supported = true) => ({
  name,
  supported,
  reason: supported ? null : "nginx is not installed.",
  fix: supported ? null : "apt-get install nginx",
  workloads: ["static"],
  options: { workers: { default: 2, min: 1, max: 64 }, mimalloc: { default: 0, min: 0, max: 1 } },
});
const scenario = (id: string, supported = true, warmup_s = 1) => ({
  supported,
  reason: supported ? null : "k6 is not installed.",
  fix: null,
  scenario: { id, title: `The ${id}`, workload: "static", duration_s: 10, warmup_s },
});
const options = {
  servers: [server("libuv"), server("nginx", false)],
  scenarios: [scenario("small"), scenario("large", false)],
  suites: [],
  ranges: {
    entries: { min: 1, max: 16 },
    scenarios: { min: 1, max: 32 },
    repeats: { min: 1, max: 100 },
    duration_s: { min: 0.2, max: 3600 },
    warmup_s: { min: 0, max: 600 },
  },
} as unknown as RunOptions;
const suite: Suite = {
  schema: 1,
  id: "keep-alive",
  title: "Keep-alive",
  summary: "",
  source: null,
  entries: [
    { label: "libuv", server: "libuv", options: {} },
    { label: "libuv with mimalloc", server: "libuv", options: { mimalloc: 1 } },
    { label: "nginx", server: "nginx", options: {} },
    { label: "gone", server: "gone", options: {} },
  ],
  baseline: "libuv with mimalloc",
  scenarios: ["small", "large"],
  repeats: 5,
  duration_s: null,
  published: [],
  mended: [],
};

describe("a suite in the form", () => {
  const form = chooseSuite(emptyForm(), suite, options);

  it("brings its entries, scenarios and baseline, as far as the host can do them", () => {
    const spec = RunSpec.parse(toSpec(form, () => 7));
    expect(spec.entries).toEqual([
      { label: "libuv", server: "libuv", options: { workers: 2, mimalloc: 0 } },
      { label: "libuv with mimalloc", server: "libuv", options: { workers: 2, mimalloc: 1 } },
    ]);
    expect(spec).toMatchObject({
      suite: "keep-alive",
      scenarios: ["small"],
      repeats: 5,
      baseline: "libuv with mimalloc",
    });
    expect(problemsOf(form, options)).toEqual({});
  });

  it("says what is left out and why", () => {
    expect(leftOut(suite, options)).toEqual([
      { what: "nginx", reason: "nginx is not installed.", fix: "apt-get install nginx" },
      { what: "gone", reason: "This host does not have it.", fix: null },
      { what: "The large", reason: "k6 is not installed.", fix: null },
    ]);
  });

  it("is quick with seconds and five short blocks; servers that compile as they run get a longer warm-up", () => {
    expect(makeQuick(form, options)).toMatchObject({ repeats: "5", duration: "0.8", warmup: "0.2" });
    const says = (said: object) =>
      ({
        ...options,
        servers: [{ ...server("libuv"), ...said }, server("nginx", false)],
      }) as unknown as RunOptions;
    expect(makeQuick(form, says({ jit: true })).warmup).toBe("2");
    // An agent from before servers said so.
    expect(makeQuick(form, says({ language: "Java" })).warmup).toBe("2");
    expect(makeQuick(form, says({ language: "Java", jit: false })).warmup).toBe("0.2");
  });

  it("is as quick beside servers that compile but take no part, and however long its scenarios warm up", () => {
    const long = [scenario("small", true, 5)];
    const others = { ...server("netty"), jit: true };
    const given = { ...options, scenarios: long, servers: [...options.servers, others] };
    expect(makeQuick(form, given as unknown as RunOptions).warmup).toBe("0.2");
  });
});
