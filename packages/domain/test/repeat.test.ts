import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { EntrySpec, Environment, PlanEntry, RunSpec, Scenario } from "@rigmark/protocol";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { canonical, planHash } from "../src/internal/run/plan-parameters";
import { type Began, entryArgument, repeatCommand } from "../src/internal/run/repeat-command";
import { FACTS, SCENARIO, SPEC } from "../src/testing/index";

/** The agent reads the same file. */
const golden = z
  .object({
    arguments: z.array(EntrySpec.extend({ argument: z.string() })),
    plan: z.object({ entries: z.array(PlanEntry), scenarios: z.array(Scenario) }),
    canonical: z.string(),
    hash: z.string(),
    /** The agent's tests do this run and hold its plan against what the command plans. */
    recorded: z.object({ spec: RunSpec, command: z.string() }),
  })
  .parse(JSON.parse(readFileSync(new URL("../../protocol/golden/repeat.json", import.meta.url), "utf8")));

const HASH = "ab".repeat(32);
const entry = (label: string): PlanEntry => ({
  key: HASH,
  label,
  server: "epoll",
  title: "epoll",
  content_hash: HASH,
  options: {},
  baseline: true,
});
const environment = Environment.parse({
  facts: FACTS,
  tools: [],
  load1_before: null,
  sandboxed: true,
  control_plane_same_host: null,
});
const TOOLS: Environment["tools"] = [
  { name: "ab", version: "2.3" },
  { name: "k6", version: "1.0.0" },
  { name: "loadgen", version: "0.1.0 io_uring" },
];
const began = (more: Partial<Began> = {}): Began => ({
  entries: [entry("epoll")],
  scenarios: [SCENARIO],
  environment,
  labels: [],
  ...more,
});

/** The words that a shell makes of a command. */
const words = (commands: readonly string[]): string[][] =>
  execFileSync("sh", [], {
    input: commands.map((c) => `printf '%s\\0' ${c}; printf '\\001\\0'`).join("\n"),
    encoding: "utf8",
    maxBuffer: 64 << 20,
  })
    .split("\u0001\0")
    .slice(0, -1)
    .map((list) => list.split("\0").slice(0, -1));

/** How `apps/agent/src/runner/plan/entry_parser.rs` cuts an argument whose server is a name. */
function cut(argument: string): EntrySpec {
  const colon = argument.lastIndexOf(":");
  const list = argument.slice(colon + 1);
  const has = colon >= 0 && /^([a-z0-9][a-z0-9._-]*=-?\d+(,(?!$)|$))*$/.test(list);
  const head = has ? argument.slice(0, colon) : argument;
  const equals = head.lastIndexOf("=");
  const pairs = has && list !== "" ? list.split(",").map((pair) => pair.split("=")) : [];
  return {
    label: head.slice(0, equals),
    server: head.slice(equals + 1),
    options: Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)])),
  };
}

const slug = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,6}$/).filter((name) => name !== "__proto__");
const part = fc.constantFrom(
  ..."= : , - -- ./ / ' \" \\ $( ` ! ~ * a epoll workers=4 9 比较 a=b".split(" "),
  " ",
  "\n",
  "a: b",
);
const label = fc.oneof(
  fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join("")),
  // No argument of a program has a NUL, and \u0001 ends the words above.
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .filter((text) => !text.includes("\0") && !text.includes("\u0001")),
);

describe("a server in the command that repeats a run", () => {
  it("is written as the agent reads it", () => {
    expect(golden.arguments.map((made) => entryArgument(made))).toEqual(
      golden.arguments.map((made) => made.argument),
    );
  });

  it("is the same after a shell and the agent have read it, whatever its label is", () => {
    const options = fc.dictionary(slug, fc.integer(), { maxKeys: 3, noNullPrototype: true });
    const made = fc.sample(fc.record({ label, server: slug, options }), { numRuns: 400, seed: 4 });
    const command = (e: EntrySpec) =>
      repeatCommand({ ...SPEC, entries: [e], baseline: e.label, precision: null });
    const read = words(made.map(command));
    for (const [i, of] of made.entries()) {
      const [, , server = "", ...rest] = read[i] ?? [];
      expect(server.startsWith("--server=")).toBe(true);
      expect(cut(server.slice("--server=".length))).toEqual(of);
      expect(rest).toContain(`--baseline=${of.label}`);
    }
  });
});

describe("the command that repeats a run", () => {
  it("has the plan, the parameters, and what agent, scenarios and servers must be", () => {
    const entries = [
      { label: "it's mine", server: "epoll", options: { workers: 2 } },
      { label: "nginx", server: "nginx", options: {} },
    ];
    const spec = {
      ...SPEC,
      entries,
      scenarios: ["static-1k-ab"],
      repeats: 5,
      precision: 0.02,
      max_repeats: 20,
      duration_s: 2,
      warmup_s: 0,
      baseline: "nginx",
      seed: 7,
      slice_s: 0.5,
      suite: "static-files",
    };
    const plan = began({
      entries: [entry("it's mine")],
      environment: { ...environment, tools: TOOLS },
    });
    expect(repeatCommand(spec, plan)).toBe(
      "rigmark run --server='it'\\''s mine=epoll:workers=2' --server=nginx=nginx --scenario=static-1k-ab " +
        "--as-suite=static-files --repeats=5 --precision=0.02 --max-repeats=20 --slice=0.5s --duration=2s --warmup=0s " +
        `--baseline=nginx --seed=7 --expect-agent=0.1.0 --expect-plan=${planHash(plan).slice(0, 12)} ` +
        "--expect='it'\\''s mine=abababababab' --expect-tool=ab=2.3",
    );
  });

  it("is the one with which the agent plans the recorded run again", () => {
    const { spec, command } = golden.recorded;
    const plan = began({
      entries: spec.entries.map((e) => entry(e.label)),
      scenarios: [SCENARIO, { ...SCENARIO, tool: "loadgen" }],
      environment: { ...environment, tools: TOOLS },
    });
    const written = repeatCommand(spec, plan)
      .replace(FACTS.agent_version, "AGENT")
      .replace(planHash(plan).slice(0, 12), "PLAN")
      .replaceAll(HASH.slice(0, 12), "CONTENT")
      .replace("ab=2.3", "ab=VERSION-OF-AB")
      .replace("loadgen=0.1.0 io_uring", "loadgen=VERSION-OF-LOADGEN");
    expect(written).toBe(command);
  });

  it("names the commit that was measured, since a branch moves", () => {
    const revision = { commit: "0123456789abcdef0123456789abcdef01234567", ref: "origin/main", dirty: false };
    const asked = { label: "base", server: "hello", options: {}, revision: "origin/main" };
    const spec = { ...SPEC, entries: [asked], baseline: null, precision: null };
    expect(repeatCommand(spec)).toContain(" --server=base=hello@origin/main ");
    const plan = began({ entries: [{ ...entry("base"), revision }] });
    expect(repeatCommand(spec, plan)).toContain(` --server=base=hello@${revision.commit} `);
  });

  it("names a folder that the run named by its path as one of its repository", () => {
    const commit = "0123456789abcdef0123456789abcdef01234567";
    const asked = { label: "head", server: "hello", options: { workers: 2 } };
    const at = (folder: string) => {
      const planned = began({ entries: [{ ...entry("head"), revision: { commit, dirty: false, folder } }] });
      return repeatCommand({ ...SPEC, entries: [asked], baseline: null, precision: null }, planned);
    };
    expect(at("apps/server")).toContain(` --server=head=./apps/server@${commit}:workers=2 `);
    expect(at(".")).toContain(` --server=head=.@${commit}:workers=2 `);
  });

  it("says nothing that was not asked for, and expects nothing before there is a plan", () => {
    const spec = { ...SPEC, precision: null, max_repeats: null, slice_s: null, suite: null };
    expect(repeatCommand(spec)).not.toMatch(/--(precision|max-repeats|slice|as-suite|tune|expect)/);
    const none = began({ entries: [], scenarios: [], environment: null });
    expect(repeatCommand(spec, none)).not.toContain("--expect");
  });

  it("expects the versions of the tools that loaded, whatever they call themselves, where they are known", () => {
    const expected = (tools: Environment["tools"]) =>
      words([repeatCommand(SPEC, began({ environment: { ...environment, tools } }))])[0]?.filter((word) =>
        word.startsWith("--expect-tool"),
      );
    expect(SCENARIO.tool).toBe("ab");
    expect(expected(TOOLS)).toEqual(["--expect-tool=ab=2.3"]);
    const odd = "2.3 'x' $(y) `z` \\ = ü\n!";
    expect(expected([{ name: "ab", version: odd }])).toEqual([`--expect-tool=ab=${odd}`]);
    expect(expected([{ name: "ab", version: null }])).toEqual([]);
    expect(repeatCommand(SPEC, began({ environment: null }))).not.toContain("--expect-tool");
  });

  it("has every bit of the precision", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.5, noNaN: true }), (precision) => {
        const [, written] = /--precision=(\S+)/.exec(repeatCommand({ ...SPEC, precision })) ?? [];
        return Number(written) === precision;
      }),
    );
  });

  it("holds still what was held still, with the huge pages of the run", () => {
    const turbo = [{ name: "turbo", before: "1", during: "0" }];
    const with_ = (thp: string | null, tuned: typeof turbo, labels: string[] = []) =>
      /--tune=\S+/.exec(
        repeatCommand(
          SPEC,
          began({
            environment: { facts: { ...FACTS, thp }, tools: [], tuned },
            labels: labels.map((code) => ({ code })),
          }),
        ),
      )?.[0];
    expect(with_("never", turbo)).toBe("--tune=never");
    expect(with_("always", turbo)).toBe("--tune=always");
    expect(with_(null, turbo)).toBe("--tune=keep");
    expect(with_("never", [])).toBeUndefined();
    expect(with_("madvise", [], ["not-tuned"])).toBe("--tune=madvise");
  });
});

describe("the hash of a plan's scenarios and options", () => {
  it("is the agent's", () => {
    expect(canonical(golden.plan)).toBe(golden.canonical);
    expect(planHash(golden.plan)).toBe(golden.hash);
    expect(createHash("sha256").update(golden.canonical).digest("hex")).toBe(golden.hash);
  });

  it("does not hang on the order of keys, and sorts those that look like numbers", () => {
    const [first] = golden.plan.entries;
    const plan = (options: Record<string, number>) => ({
      entries: first ? [{ ...first, options }] : [],
      scenarios: [],
    });
    expect(planHash(plan({ b: 1, a: 2 }))).toBe(planHash(plan({ a: 2, b: 1 })));
    expect(canonical(plan({ "9": 1, "10": 2, "-": 3 }))).toContain('{"-":3,"10":2,"9":1}');
  });
});
