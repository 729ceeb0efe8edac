import { readFileSync } from "node:fs";
import { type Environment, JournalRecord } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { Compared, EnvironmentDifferences } from "@/components/result/environment-differences";
import { EnvironmentList } from "@/components/result/environment-list";
import { render } from "./words";

const journal = readFileSync(
  new URL("../../../packages/protocol/golden/journal.jsonl", import.meta.url),
  "utf8",
);
const environment = ((): Environment => {
  for (const line of journal.trim().split("\n")) {
    const record = JournalRecord.parse(JSON.parse(line));
    if (record.kind === "environment") return record.data;
  }
  throw new Error("the golden journal has no environment");
})();
const run = (run_id: string, env: Environment | null) => ({ run_id, environment: env });
const text = (runs: Parameters<typeof EnvironmentDifferences>[0]["runs"]) =>
  render(<EnvironmentDifferences runs={runs} />);

describe("environments of a report", () => {
  it("are not spoken of where there is one run", () => {
    expect(text([run("a", environment)])).toBe("");
  });

  it("are said to be the same, or told apart in words with both values", () => {
    expect(text([run("a", environment), run("b", environment)])).toContain("same environment");
    const other = { ...environment, facts: { ...environment.facts, governor: "performance" } };
    const html = text([run("a", environment), run("b", other)]);
    expect(html).toContain(
      "Run 1 and run 2 are not comparable: their environments differ in 1 thing that must be the same.",
    );
    expect(html).toMatch(/CPU governor<\/dt>.*run 1<\/span><bdi>ondemand.*run 2<\/span><bdi>performance/);
  });

  it("are told once of runs that differ in the same way", () => {
    const other = { ...environment, facts: { ...environment.facts, governor: "performance" } };
    const html = text([
      ...["a", "b", "c", "d"].map((id) => run(id, environment)),
      ...["e", "f"].map((id) => run(id, other)),
      run("g", environment),
    ]);
    expect(html).toContain("Run 1 and runs 2 to 4 and 7 were measured in the same environment.");
    expect(html).toContain("Run 1 and runs 5 and 6 are not comparable: their environments differ in 1 thing");
    expect(html.match(/class="note"/g)).toHaveLength(2);
  });

  it("that have little in common are told whole, the rest of it folded away", () => {
    const mitigations = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`m${i}`, "Vulnerable"]));
    const other = { ...environment, facts: { ...environment.facts, mitigations } };
    const html = text([run("a", environment), run("b", other)]);
    const [shown = "", folded = ""] = html.split("<details");
    expect(shown.match(/<dt/g)).toHaveLength(10);
    expect(html.match(/mitigation of m\d+</g)).toHaveLength(14);
    expect(folded).toContain("more differences");
  });

  it("are told of the run that the page is of, before it has a place", () => {
    const html = render(<Compared a={{ place: null, environment }} b={{ place: 1, environment }} />);
    expect(html).toContain("This run and run 2 were measured in the same environment.");
    const unknown = render(<Compared a={{ place: null, environment: null }} b={{ place: 1, environment }} />);
    expect(unknown).toContain("the environment of this run is not known.");
  });

  it("that are not known make runs not comparable", () => {
    const html = text([run("a", environment), run("b", null)]);
    expect(html).toContain("are not comparable: the environment of run 2 is not known.");
  });
});

it("an environment has its fingerprint in short, what was tuned, and null for what is unknown", () => {
  const html = render(<EnvironmentList environment={environment} />);
  expect(html).toContain(`>${environment.fingerprint?.slice(0, 12)}<`);
  expect(html).toContain("transparent huge pages: never (was madvise)");
  const bare = render(<EnvironmentList environment={{ ...environment, fingerprint: null, tuned: [] }} />);
  expect(bare).toMatch(/Fingerprint<\/a><\/dt><dd[^>]*><span[^>]*>unknown/);
});
