import { type Catalogue, type RunSpec, RunSpec as RunSpecSchema } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { checkSpec } from "../src/internal/run/check-spec";
import { CATALOGUE, SCENARIO, SPEC } from "../src/testing/fixtures";

const settable: Catalogue = {
  ...CATALOGUE,
  scenarios: [
    { scenario: SCENARIO, settable: ["connections", "duration"], supported: true, reason: null, fix: null },
  ],
};
const asking = (...scenarios: string[]): RunSpec => ({ ...SPEC, scenarios });
const refusal = (spec: RunSpec, catalogue = settable): string => {
  try {
    checkSpec(spec, catalogue);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
};

describe("numbers of a scenario that is queued", () => {
  it("give it its one name", () => {
    const [set] = checkSpec(asking("static-1k-ab:duration=2s,connections=200"), settable);
    expect(set).toMatchObject({ id: "static-1k-ab:connections=200,duration=2s", duration_s: 2 });
    expect(set?.load.connections).toBe(200);
    expect(checkSpec(asking("static-1k-ab:connections=32"), settable)[0]?.id).toBe("static-1k-ab");
  });

  it("are refused with what can be set", () => {
    expect(refusal(asking("static-1k-ab:rate=5"))).toContain("you can set connections, duration");
    expect(refusal(asking("static-1k-ab:connections=0"))).toContain("must be from 1 to 10000, not 0");
    expect(refusal(asking("static-1k-ab:connections=1.5"))).toContain("must be from 1 to 10000");
    expect(refusal(asking("static-1k-ab:"))).toContain("write it like static-1k-ab:connections=200");
    expect(refusal(asking("static-1k-ab", "static-1k-ab:connections=32"))).toContain("named twice");
    expect(refusal(asking("other:connections=3"))).toContain("has no scenario “other”");
  });

  it("are not sent to an agent that takes none", () => {
    expect(refusal(asking("static-1k-ab:connections=200"), CATALOGUE)).toContain(
      "The agent of this host is too old to set numbers; update it",
    );
  });
});

it("queues a scenario of the host's owner for servers that claim nothing", () => {
  const own = {
    ...SCENARIO,
    id: "users",
    workload: "http" as const,
    body_bytes: 0,
    http: { requests: [{ weight: 1, method: "GET" as const, path: "/users" }] },
  };
  const catalogue: Catalogue = {
    ...CATALOGUE,
    servers: CATALOGUE.servers.map((s) => ({ ...s, workloads: [] })),
    scenarios: [{ scenario: own, supported: true, reason: null, fix: null }],
  };
  expect(checkSpec(asking("users"), catalogue)).toEqual([own]);
});

describe("a commit that is queued", () => {
  const at = (revision: string): RunSpec => ({
    ...SPEC,
    entries: SPEC.entries.map((e, i) => (i === 0 ? { ...e, revision } : e)),
  });

  it("is taken of a server that the host says has commits, and of no other", () => {
    const taking: Catalogue = {
      ...CATALOGUE,
      servers: CATALOGUE.servers.map((s) => ({ ...s, revisions: true })),
    };
    expect(refusal(at("origin/main"), taking)).toBe("");
    const says = `The host takes no commit for “${SPEC.entries[0]?.server}”`;
    expect(refusal(at("origin/main"), CATALOGUE)).toContain(says);
  });

  it("is a name that git allows and that no command takes for an option", () => {
    const taken = (revision: string) => RunSpecSchema.safeParse(at(revision)).success;
    for (const good of ["main", "refs/pull/7/head", "a".repeat(200), "0123456789".repeat(4), "é@x"])
      expect(taken(good), good).toBe(true);
    for (const bad of [
      "",
      "-x",
      "a b",
      "a\nb",
      "a\u0000",
      "a~1",
      "a:b",
      "a^",
      "a?",
      "a*",
      "a[",
      "a\\b",
      "a".repeat(201),
    ])
      expect(taken(bad), bad).toBe(false);
  });
});
