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
  ["verify::right::answers", "a module that verify has now"],
  ["apps/agent/src/runner/validity/algebra.rs", "a module that runner has now"],
  ["apps/agent/src/runner/measure/shot.rs", "a module that runner has now"],
  ["apps/agent/src/runner/kernel.rs", "a module that runner has now"],
  ["crate::runner::plan::room", "a module that runner has now"],
  ["apps/agent/src/loadgen/steady.rs", "a module that loadgen has now"],
  ["apps/agent/src/session/lane.rs", "a module that session has now"],
  ["packages/stats/src/lead.rs", "a module that stats has now"],
  ["apps/web/src/server/frozen/answer.ts", "a module that web has now"],
  ["packages/api/test/house.ts", "a module that api has now"],
  ["agent-door", "agent-endpoint"],
  ["DESIGN § 7", "the rule itself, or the page of docs/ that has it"],
  ["how to mend it", "fix"],
])("%s is retired", (text, say) => expect(inCode(text).map(([, instead]) => instead)).toContain(say));

test.each(["session::retry_queue", "runner/measure/tool_runs.rs", "verify/right/responses.rs"])(
  "%s is a name of today",
  (text) => expect(inCode(text)).toEqual([]),
);

test.each(["pub struct Told {", "enum Shots {", "pub trait Pacing {", "pub struct Lead {"])(
  "types are named by what they hold: %s",
  (text) =>
    expect(inFile("a.rs", text).map(([, say]) => say)).toContain("a name that says what the type holds"),
);

test("types of TypeScript, too, and only whole names", () => {
  expect(inCode("export type Lane = 1;")).toEqual([["type Lane", "a name that says what the type holds"]]);
  expect(inCode("const Said = z.object({});")).toHaveLength(1);
  expect(inFile("a.rs", "pub struct ToldTwice {")).toEqual([]);
  // Of Rust only.
  expect(inFile("a.rs", "struct World {")).toHaveLength(1);
  expect(inCode("interface World {")).toEqual([]);
});

test("there is one Exit", () => {
  expect(inFile("apps/agent/src/tool/output.rs", "pub enum Exit {")).toHaveLength(1);
  expect(inFile("apps/agent/src/cli/error.rs", "pub enum Exit {")).toEqual([]);
});

test.each([
  ["a.ts", "const answer = await fetch(url);"],
  ["a.ts", "if (!answer.ok) return;"],
  ["a.ts", "export interface Answer {"],
  ["a.ts", "import { errorAnswer } from './error';"],
  ["a.ts", "parts.map((answer) => 1)"],
  ["a.rs", "let answers = Vec::new();"],
  ["a.rs", "Task::Answers { label }"],
])("an identifier of a response, in %s: %s", (file, text) =>
  expect(inFile(file, text).map(([, say]) => say)).toContain("response"),
);

test.each(["const answer = async (id: string) => 1;", "fn answer(stream: TcpStream)", "answerApi(request)"])(
  "a function may answer: %s",
  (text) => expect(inCode(text)).toEqual([]),
);

test("promised names, and terms of the field, stay", () => {
  expect(inCode('status: "cancelled", the wall clock, there is room for one')).toEqual([]);
  expect(inFile("docs/a.md", "`PUT host/catalogue` sends the catalog")).toEqual([]);
  expect(inFile("docs/a.md", "the catalogue")).toEqual([["catalogue", "catalog"]]);
  expect(inFile("apps/web/src/a.tsx", "aria-labelledby={id}")).toEqual([]);
});
