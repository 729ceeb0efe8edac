import { stoppingOf } from "@rigmark/messages";
import { RunSpec } from "@rigmark/protocol";
import { plannedRange, type RunOptions } from "@rigmark/results";
import { blockRange, blocksInWords, endOf, precisionInWords } from "@rigmark/results/blocks";
import { describe, expect, it } from "vitest";
import { addEntry, emptyForm, fromSchedule, fromSpec, problemsOf, removeEntry, toSpec } from "@/lib/new-run";
import { en } from "./words";

const server = (name: string, workloads: string[], supported = true) => ({
  name,
  title: name,
  language: "C",
  summary: "",
  license: "MIT",
  workloads,
  options: { workers: { default: 2, min: 1, max: 64 } },
  content_hash: "0".repeat(64),
  supported,
  reason: supported ? null : "nginx is not installed.",
  fix: null,
});
const scenario = (id: string, workload: string) => ({
  supported: true,
  reason: null,
  fix: null,
  scenario: { id, title: id, workload, duration_s: 10, warmup_s: 2 },
});
const options = {
  servers: [
    server("epoll", ["plaintext", "static"]),
    server("nginx", ["static"], false),
    server("echo", ["ws-echo"]),
  ],
  scenarios: [scenario("small", "static"), scenario("hello", "plaintext")],
  ranges: {
    entries: { min: 1, max: 16 },
    scenarios: { min: 1, max: 32 },
    repeats: { min: 1, max: 100 },
    duration_s: { min: 0.2, max: 3600 },
    warmup_s: { min: 0, max: 600 },
    slice_s: { min: 0.2, max: 1 },
    precision: { min: 0.001, max: 0.5 },
  },
} as unknown as RunOptions;
const [epoll, nginx, echo] = options.servers;
if (!epoll || !nginx || !echo) throw new Error("three servers are needed");

describe("numbers of a scenario", () => {
  const plain = {
    ...scenario("small", "static"),
    settable: ["connections", "duration", "rate"],
  };
  const load = { kind: "rate", rate_per_s: 1000, connections: 8, keep_alive: true };
  const host = {
    ...options,
    scenarios: [{ ...plain, scenario: { ...plain.scenario, load } }],
  } as unknown as RunOptions;
  const form = (numbers: Record<string, string>) => ({
    ...addEntry(emptyForm(), epoll),
    scenarios: ["small"],
    numbers: { small: numbers },
  });

  it("are in the scenario's name, where they are not its own", () => {
    const named = (numbers: Record<string, string>) => toSpec(form(numbers), () => 1, host).scenarios;
    expect(named({})).toEqual(["small"]);
    expect(named({ connections: "8", rate: " " })).toEqual(["small"]);
    expect(named({ rate: "500", duration: "0.5", connections: "9" })).toEqual([
      "small:connections=9,duration=0.5s,rate=500",
    ]);
    const spec = RunSpec.parse(toSpec(form({ rate: "500", duration: "2.5" }), () => 1, host));
    expect(toSpec(fromSpec(spec), () => 0, host)).toEqual(spec);
  });

  it("are refused beside their field", () => {
    const problem = (numbers: Record<string, string>) => problemsOf(form(numbers), host)["scenario-small"];
    expect(problem({ connections: "9" })).toBeUndefined();
    expect(problem({ connections: "0" })).toBe("Connections: a whole number from 1 to 10000.");
    expect(problem({ duration: "0.1" })).toBe("Duration: from 0.2 to 3600 seconds.");
    expect(problem({ rate: "1e3" })).toBe("Rate: a whole number from 1 to 1000000.");
  });

  it("are not sent to an agent that does not know them", () => {
    const old = { ...host, scenarios: host.scenarios.map(({ settable: _, ...s }) => s) } as RunOptions;
    expect(toSpec(form({ connections: "9" }), () => 1, old).scenarios).toEqual(["small"]);
  });
});

describe("the form of a new run", () => {
  it("asks for a server and a scenario", () => {
    expect(problemsOf(emptyForm(), options)).toEqual({
      entries: "Choose at least one server.",
      scenarios: "Choose at least one scenario.",
    });
  });

  it("gives a second entry of a server a label of its own, and a spec that the protocol takes", () => {
    let form = addEntry(addEntry(emptyForm(), epoll), epoll);
    form = { ...form, scenarios: ["small"], baseline: 2 };
    expect(form.entries.map((e) => e.label)).toEqual(["epoll", "epoll 2"]);
    expect(problemsOf(form, options)).toEqual({});
    const spec = RunSpec.parse(toSpec(form, () => 42));
    expect(spec.baseline).toBe("epoll 2");
    expect(spec.seed).toBe(42);
    expect(toSpec(fromSpec(spec), () => 0)).toEqual(spec);
  });

  it("leaves to the server what a run that was queued without it left to it", () => {
    const form = { ...addEntry(emptyForm(), epoll), scenarios: ["small"] };
    const spec = RunSpec.parse(toSpec(form, () => 42));
    const bare = { ...spec, entries: [{ label: "epoll", server: "epoll", options: {} }] };
    expect(problemsOf(fromSpec(bare), options)).toEqual({});
    expect(toSpec(fromSpec(bare), () => 0)).toEqual(bare);
    const cleared = { ...form, entries: form.entries.map((e) => ({ ...e, options: { workers: " " } })) };
    expect(problemsOf(cleared, options)).toEqual({});
    expect(toSpec(cleared, () => 42).entries[0]?.options).toEqual({});
  });

  it("keeps the commits of a run that is queued again", () => {
    const form = { ...addEntry(emptyForm(), epoll), scenarios: ["small"] };
    const spec = RunSpec.parse(toSpec(form, () => 42));
    const at = { ...spec, entries: spec.entries.map((e) => ({ ...e, revision: "origin/main" })) };
    expect(toSpec(fromSpec(at), () => 0)).toEqual(at);
  });

  it("takes over the plan of a schedule, but for the order of trials", () => {
    const form = { ...addEntry(emptyForm(), epoll), scenarios: ["small"], title: "nightly" };
    const spec = RunSpec.parse(toSpec(form, () => 42));
    expect(toSpec(fromSchedule(spec), () => 7)).toEqual({ ...spec, seed: 7 });
  });

  it("forgets a baseline that is taken away", () => {
    const form = { ...addEntry(addEntry(emptyForm(), epoll), epoll), baseline: 2 };
    expect(removeEntry(form, 2).baseline).toBeNull();
  });

  it("says what is wrong with an entry", () => {
    const form = addEntry(addEntry(emptyForm(), nginx), echo);
    const problems = problemsOf({ ...form, scenarios: ["small"] }, options);
    expect(problems["entry-1"]).toBe("nginx is not installed.");
    expect(problems["entry-2"]).toMatch(/does not claim static, and this run has no other workload/);
  });

  it.each([
    ["repeats", "0"],
    ["repeats", "2.5"],
    ["repeats", "1000"],
    ["duration", "-1"],
    ["duration", "99999"],
    ["duration", "NaN"],
    ["warmup", "601"],
    ["seed", "1e3"],
    ["precision", "0"],
    ["precision", "51"],
    ["precision", "2 %"],
    ["slice", "0.1"],
    ["slice", "2"],
  ] as const)("refuses %s of %s", (field, value) => {
    const form = { ...addEntry(emptyForm(), epoll), scenarios: ["small"], [field]: value };
    expect(Object.keys(problemsOf(form, options))).toEqual([field]);
  });
});

describe("a precision", () => {
  const form = { ...addEntry(addEntry(emptyForm(), epoll), epoll), scenarios: ["small"], precision: "2" };

  it("asks for more blocks, up to the limit that the page shows", () => {
    const spec = RunSpec.parse(toSpec(form, () => 1));
    expect(spec).toMatchObject({ repeats: 5, precision: 0.02, max_repeats: 20 });
    expect(blocksInWords(spec)).toBe("5 to 20 blocks");
    expect(toSpec(fromSpec(spec), () => 0)).toEqual(spec);
    // Four blocks of one repeat would have no verdict, whatever they show.
    const limit = (repeats: string) => toSpec({ ...form, repeats }, () => 1).max_repeats;
    expect(["1", "2", "60"].map(limit)).toEqual([5, 8, 100]);
    expect(RunSpec.parse(toSpec({ ...form, most: "8", slice: "0" }, () => 1))).toMatchObject({
      max_repeats: 8,
      slice_s: 0,
    });
  });

  it("has a limit that is no less than the repeats, and that a run can hold", () => {
    expect(Object.keys(problemsOf({ ...form, most: "4" }, options))).toEqual(["most"]);
    expect(Object.keys(problemsOf({ ...form, most: "101" }, options))).toEqual(["most"]);
    const entries = Array.from({ length: 16 }, (_, id) => ({
      id,
      server: "epoll",
      label: `e${id}`,
      options: {},
    }));
    const many = { ...form, entries, scenarios: ["small", "hello"], repeats: "20" };
    expect(RunSpec.parse(toSpec(many, () => 1)).max_repeats).toBe(31);
    expect(problemsOf({ ...many, most: "32" }, options).most).toContain("At most 31");
  });

  it("leaves a run without one as it was", () => {
    const spec = toSpec({ ...form, precision: "", most: "12" }, () => 1);
    expect(spec).toMatchObject({ precision: null, max_repeats: null });
    expect(blocksInWords(spec)).toBe("5 blocks");
    expect(stoppingOf(en, blockRange(spec), null, { measured: 5, early: false })).toBeNull();
  });

  it("says whether the run ended early", () => {
    const spec = toSpec(form, () => 1);
    const after = (measured: number, early: boolean) =>
      stoppingOf(en, blockRange(spec), precisionInWords(spec.precision ?? 0), { measured, early });
    expect(after(8, true)).toMatch(/within ±\s2\s%.*ended early, after 8 blocks$/);
    expect(after(20, false)).toMatch(/all 20 blocks were measured$/);
    // Cancelled, failed or cut off: nothing was found that ended it.
    expect(after(8, false)).toMatch(/settled; 8 blocks were measured$/);
  });

  it("knows from its label that a run ended early", () => {
    const trials = [0, 0, 1].map((block) => ({ block, state: "valid" }));
    expect(endOf(trials, [{ code: "ended-early" }])).toEqual({ measured: 2, early: true });
    expect(endOf(trials, [{ code: "unsandboxed" }])).toEqual({ measured: 2, early: false });
  });
});

describe("the planned duration", () => {
  it("counts load, and a range for what stands around it", () => {
    const spec = toSpec({ ...addEntry(emptyForm(), epoll), scenarios: ["small"], repeats: "5" }, () => 1);
    const { min_s, max_s } = plannedRange(spec, [{ duration_s: 10, warmup_s: 2, workload: "static" }]);
    expect(min_s).toBeGreaterThanOrEqual(60);
    expect(max_s).toBeGreaterThan(min_s);
  });
});
