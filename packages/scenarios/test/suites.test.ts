import type { Scenario, Suite } from "@rigmark/protocol";
import { MAX_TRIALS } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { warmUpS } from "../src/document";
import { scenarios, suites } from "../src/index";
import { manifest } from "./manifest";

const known = new Map<string, Scenario>([...scenarios().values()].map((s) => [s.id, s]));
const all: [string, Suite][] = [...suites()];
const repeated = all.filter(([, suite]) => suite.source);
const workloadsOf = (suite: Suite) => suite.scenarios.map((id) => known.get(id)?.workload);

describe("suites", () => {
  it("are the five reports and a quick one", () => {
    expect(all.map(([, s]) => s.id)).toEqual([
      "epoll-vs-io-uring",
      "json-sum",
      "keep-alive",
      "quick",
      "static-files",
      "websocket",
    ]);
  });

  it.each(all)("%s names scenarios that exist", (file, suite) => {
    expect(file).toBe(`${suite.id}.json`);
    for (const id of suite.scenarios) expect([...known.keys()]).toContain(id);
  });

  it.each(all)("%s has servers that exist, with options that they have", (_file, suite) => {
    for (const entry of suite.entries) {
      const server = manifest(entry.server);
      expect(server, entry.server).not.toBeNull();
      for (const [name, value] of Object.entries(entry.options)) {
        const option = server?.options[name];
        expect(option, `${entry.server} ${name}`).toBeDefined();
        expect(value).toBeGreaterThanOrEqual(option?.min ?? Number.POSITIVE_INFINITY);
        expect(value).toBeLessThanOrEqual(option?.max ?? Number.NEGATIVE_INFINITY);
      }
    }
  });

  it.each(all)("%s has no server without a table and no table without a server", (_file, suite) => {
    const claimed = suite.entries.map((entry) => manifest(entry.server)?.workloads ?? []);
    const wanted = workloadsOf(suite);
    for (const [i, workloads] of claimed.entries()) {
      expect(
        wanted.some((w) => w && workloads.includes(w)),
        suite.entries[i]?.label,
      ).toBe(true);
    }
    for (const workload of new Set(wanted)) {
      const claiming = claimed.filter((workloads) => workload && workloads.includes(workload));
      expect(claiming.length, workload).toBeGreaterThan(0);
    }
  });

  it.each(all)("%s is a run that may be", (_file, suite) => {
    expect(suite.entries.length * suite.scenarios.length * suite.repeats).toBeLessThanOrEqual(MAX_TRIALS);
    // A verdict takes five blocks.
    expect(suite.repeats).toBeGreaterThanOrEqual(5);
  });

  it.each(repeated)("%s says what was published and what is mended", (_file, suite) => {
    expect(suite.published.length).toBeGreaterThan(0);
    expect(suite.mended.length).toBeGreaterThan(0);
    for (const figure of suite.published) {
      if (figure.entry !== null) expect(suite.entries.map((e) => e.label)).toContain(figure.entry);
    }
  });

  it.each(repeated)("%s compares CPU per request at one offered rate", (_file, suite) => {
    const rates = suite.scenarios.filter((id) => known.get(id)?.load.kind === "rate");
    expect(rates.map((id) => known.get(id)?.tool)).toContain("loadgen");
  });

  it("quick takes about two minutes, with a scenario judged by processor time", () => {
    const suite = all.find(([, s]) => s.id === "quick")?.[1];
    if (!suite) throw new Error("there is no suite quick");
    const trials = suite.scenarios.flatMap((id) => known.get(id) ?? []);
    // What the agent plans beside the load of a trial: OVERHEAD_S of its plan.
    const each = trials.map((s) => {
      const load_s = suite.duration_s ?? s.duration_s;
      return 1.5 + warmUpS(s, load_s) + load_s;
    });
    const planned = each.reduce((sum, s) => sum + s, 0) * suite.entries.length * suite.repeats;
    expect(planned).toBeGreaterThanOrEqual(100);
    expect(planned).toBeLessThanOrEqual(150);
    expect(trials.map((s) => s.judged_by)).toContain("cpu_us_per_request");
  });

  it("json-sum warms its JVMs up", () => {
    const suite = all.find(([, s]) => s.id === "json-sum")?.[1];
    for (const id of suite?.scenarios ?? []) expect(known.get(id)?.warmup_s).toBe(5);
  });
});
