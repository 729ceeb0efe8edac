import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Environment } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { canonical, differences } from "../src/differences";

const example = JSON.parse(
  readFileSync(new URL("../../protocol/golden/environment-differences.json", import.meta.url), "utf8"),
) as Record<"a" | "b" | "differences", unknown> & { canonical_a: string; fingerprint_a: string };
const [a, b] = [Environment.parse(example.a), Environment.parse(example.b)];

describe("differences of two environments", () => {
  it("are those of the example that the agent reads too", () => {
    expect(differences(a, b)).toEqual(example.differences);
  });

  it("has the agent's fingerprint under it", () => {
    expect(canonical(a)).toBe(example.canonical_a);
    expect(createHash("sha256").update(canonical(a)).digest("hex")).toBe(example.fingerprint_a);
  });

  it("says the other way round what it says one way", () => {
    const turned = differences(b, a).map(({ name, a: left, b: right }) => ({ name, a: right, b: left }));
    expect(new Set(turned.map((d) => JSON.stringify(d)))).toEqual(
      new Set(differences(a, b).map((d) => JSON.stringify(d))),
    );
  });

  it("does not count the moment or the host's name", () => {
    const later = {
      ...a,
      load1_before: 9,
      facts: { ...a.facts, hostname: "other", boot_id: "x", nofile_soft: 1 },
    };
    expect(differences(a, later)).toEqual([]);
  });
});
