import { expect, test } from "vitest";
import { retiredIn } from "../src/check/words/find";

const inFile = (file: string, text: string) => retiredIn(file, text).map(({ word, say }) => [word, say]);
const inCode = (text: string) => inFile("packages/rig/src/a.ts", text);

test("a finding has its line and what to write instead", () => {
  expect(retiredIn("docs/a.md", "One line.\nIts behaviour is odd.")).toEqual([
    { file: "docs/a.md", line: 2, word: "behaviour", say: "behavior" },
  ]);
});

test("British spellings are found in names, too", () => {
  expect(inCode("const seriesColours = 1;")).toEqual([["Colour", "color"]]);
  expect(inCode("the host enrols")).toEqual([["enrol", "enroll"]]);
  expect(inCode("enrolled, enrollment, color, labeled")).toEqual([]);
  expect(inCode("an optimised build")).toEqual([["optimis", "optimiz"]]);
  expect(inCode("optimist, realism, organism")).toEqual([]);
});

test.each(["the answer came late", "wrong answers", "an answer of 13 bytes", "each answer"])(
  "a response is no answer: %s",
  (text) => expect(inCode(text).map(([, say]) => say)).toEqual(["response"]),
);

test.each(["servers that answer", "it answers correctly", "a request that was answered"])(
  "to answer is a verb that stays: %s",
  (text) => expect(inCode(text)).toEqual([]),
);

test.each([
  ["runner::spent", "a module that runner has now"],
  ["apps/agent/src/runner/said.rs", "a module that runner has now"],
  ["verify/algebra.rs", "a module that verify has now"],
  ["packages/stats/src/lane.rs", "a module that stats has now"],
  ["packages/api/test/house.ts", "a module that api has now"],
  ["agent-door", "agent-endpoint"],
  ["DESIGN § 7", "the rule itself, or the page of docs/ that has it"],
  ["how to mend it", "fix"],
])("%s is retired", (text, say) => expect(inCode(text).map(([, instead]) => instead)).toContain(say));

test("types of Rust are named by what they hold", () => {
  expect(inFile("a.rs", "pub struct Told {")).toEqual([
    ["struct Told", "a name that says what the type holds"],
  ]);
  expect(inFile("a.rs", "pub struct ToldTwice {")).toEqual([]);
  expect(inCode("export type Lane = 1;")).toEqual([]);
});

test("promised names, and terms of the field, stay", () => {
  expect(inCode('status: "cancelled", the wall clock, there is room for one')).toEqual([]);
  expect(inFile("docs/a.md", "`PUT host/catalogue` sends the catalog")).toEqual([]);
  expect(inFile("docs/a.md", "the catalogue")).toEqual([["catalogue", "catalog"]]);
  expect(inFile("apps/web/src/a.tsx", "aria-labelledby={id}")).toEqual([]);
});
