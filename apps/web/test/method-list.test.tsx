import type { PlanEntry, Revision, RunSpec } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { MethodList } from "@/components/result/method-list";
import { render } from "./words";

const commit = "0123456789abcdef0123456789abcdef01234567";

/** What stands there of a server, without the tags. */
function shown(revision: Revision | undefined, language: "en" | "zh" = "en", label = "head"): string {
  const entry: PlanEntry = {
    key: "a".repeat(64),
    label,
    server: "hello",
    title: "hello",
    content_hash: "b".repeat(64),
    options: {},
    baseline: true,
    ...(revision && { revision }),
  };
  const spec = { repeats: 5, seed: 1, duration_s: null, warmup_s: null, precision: null } as RunSpec;
  const list = { scenarios: [], blocks: null, trials: [], labels: [], time: null, over: true };
  const html = render(<MethodList spec={spec} entries={[entry]} {...list} />, language);
  return html.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
}

describe("the commit of a server's folder", () => {
  it("stands beside its content, with what was asked for", () => {
    const text = shown({ commit, ref: "origin/main", dirty: false });
    expect(text).toContain("bbbbbbbbbbbb, commit 0123456789ab (origin/main)");
    expect(text).not.toContain("in no commit");
  });

  it("says that the folder had changes", () => {
    expect(shown({ commit, dirty: true })).toContain(
      "commit 0123456789ab, with changes that are in no commit",
    );
    expect(shown({ commit, dirty: true }, "zh")).toContain("含有未提交的修改");
  });

  it("is not there for a server that was named by its name", () => {
    expect(shown(undefined)).not.toContain("commit");
  });
});

it("names an entry by its whole label, in which no character is cut in half", () => {
  const label = `${"x".repeat(39)}🦀, the other build`;
  expect(shown(undefined, "en", label)).toContain(`${label}hello`);
});
