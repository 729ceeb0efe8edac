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
          { stream: "journal", from_seq: 12, to_seq: 13 },
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
    "Of the journal, chunks 4 to 8 are missing.",
    "Of the journal, chunk 12 is missing.",
    "Of the raw output, chunk 1200 and all later ones are missing.",
    "1200 records were damaged on the host's disk and are missing.",
    "1 of 2 planned trials was not measured.",
  ]);
  const zh = wordsIn("zh");
  expect(gaps.filter((gap) => zh.phrase(gap).startsWith("“"))).toEqual([]);
});
