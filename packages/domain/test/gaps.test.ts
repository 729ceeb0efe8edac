import { wordsIn } from "@rigmark/messages/catalogue";
import type { RunView } from "@rigmark/results";
import { expect, it } from "vitest";
import { gapsOf } from "../src/internal/run/gaps";

const run = (of: Partial<RunView>): RunView =>
  ({
    final: true,
    state: "succeeded",
    error: null,
    missing: [],
    corrupt_records: 0,
    trials: [],
    ...of,
  }) as RunView;

it("what a run lacks is told in sentences of the catalogue, which has each in Chinese", () => {
  expect(gapsOf(run({}))).toEqual([]);
  expect(gapsOf(run({ final: false }))).toEqual(["The run was not over when this report was made."]);
  const gaps = [
    ...gapsOf(run({ state: "timed_out" })),
    ...gapsOf(
      run({
        state: "failed",
        error: { code: "disk-full", message: "The host's disk {is} full." },
        missing: [
          { stream: "journal", from_seq: 4, to_seq: 9 },
          { stream: "raw", from_seq: 1200, to_seq: null },
        ],
        corrupt_records: 1200,
        trials: [{ state: "planned" }, { state: "valid" }] as RunView["trials"],
      }),
    ),
  ];
  expect(gaps).toEqual([
    "The run ended as timed out.",
    "The run ended as failed: The host's disk {is} full.",
    "The journal is missing from chunk 4 to 8.",
    "The raw is missing from chunk 1200 on.",
    "1200 records were damaged on the host's disk and are missing.",
    "1 of 2 planned trials were not measured.",
  ]);
  const zh = wordsIn("zh");
  expect(gaps.filter((gap) => zh.said(gap).startsWith("“"))).toEqual([]);
});
