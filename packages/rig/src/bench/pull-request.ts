import { readFileSync } from "node:fs";
import { buildWeb } from "../build/web";
import { exec } from "../exec";
import { say } from "../say";
import { attempt } from "./attempt";
import { atLeast, atMost, type Figure, fact } from "./figure";

/**
 * The story of a pull request on this host, with a real app: a server of 60 lines beside nginx, a change that costs a tenth
 * more, its fix, and a refactoring. What is printed before the figures is what the Action's scripts wrote.
 */
export const pullRequest = (): Promise<Figure[]> => attempt(storyFigures("", 0), measure);

async function measure(): Promise<Figure[]> {
  await buildWeb();
  const began = Date.now();
  const { log } = await exec("pnpm", ["--filter", "@rigmark/e2e", "story"], { log: "pull-request" });
  const text = log ? readFileSync(log, "utf8") : "";
  say(text);
  return storyFigures(text, (Date.now() - began) / 1000);
}

/** What the output of the story shows; null where it did not come so far. */
export function storyFigures(text: string, took_s: number): Figure[] {
  const [before = "", ...parts] = text.split(/^=== /m);
  const of = (name: string): string | null => parts.find((part) => part.startsWith(name)) ?? null;
  const comments = (part: string) => part.match(/^<!-- rigmark:/gm)?.length ?? 0;
  const check = (part: string) => [...part.matchAll(/^check [0-9a-f]{8} (\w+):/gm)].at(-1)?.[1];
  const when = (part: string | null, count: (part: string) => number | boolean) =>
    part === null ? null : Number(count(part));
  const [change, fix, refactoring] = [of("the change"), of("its fix"), of("a refactoring")];
  const shown = /\| \+([\d.]+) % \(/.exec(change ?? "")?.[1];
  const commands = before.match(/^\$ rigmark /gm)?.length ?? null;
  return [
    atMost("commands_to_nginx", commands, "commands", 6),
    fact("change_shown", shown ? Number(shown) : null, "%"),
    atLeast(
      "change_fails",
      when(change, (p) => check(p) === "failure"),
      "",
      1,
    ),
    atLeast(
      "fix_turns",
      when(fix, (p) => comments(p) === 1 && check(p) !== "failure"),
      "",
      1,
    ),
    atMost("refactoring_comments", when(refactoring, comments), "", 0),
    fact("story", took_s || null, "s"),
  ];
}
