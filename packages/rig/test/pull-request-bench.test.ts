import { expect, it } from "vitest";
import { storyFigures } from "../src/bench/pull-request";

const STORY = `$ rigmark new server server
$ rigmark verify ./server ./nginx
=== the change that costs a tenth more
<!-- rigmark:default -->
| Plaintext | 89.3 µs CPU/request | 101 µs CPU/request | +13 % (+7.9 to +19 %) | slower: spends more |
check 68888b55 failure: head is slower than base
=== its fix
<!-- rigmark:default -->
check 68888b55 failure: head is slower than base
check 3dc6eade success: No difference was shown
=== a refactoring
no comment
check d815b519 success: No difference was shown
`;
const values = (text: string) =>
  storyFigures(text, 400).map(({ name, value, holds }) => [name, value, holds]);

it("says what became of each step", () => {
  expect(values(STORY)).toEqual([
    ["commands_to_nginx", 2, true],
    ["change_shown", 13, null],
    ["change_fails", 1, true],
    ["fix_turns", 1, true],
    ["refactoring_comments", 0, true],
    ["story", 400, null],
  ]);
});

it("knows nothing of a step that was not reached", () => {
  const [before = ""] = STORY.split("=== its fix");
  const reached = values(before).filter(([, value]) => value !== null);
  expect(reached.map(([name]) => name)).toEqual([
    "commands_to_nginx",
    "change_shown",
    "change_fails",
    "story",
  ]);
});
