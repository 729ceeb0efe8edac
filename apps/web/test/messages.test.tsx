import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { foreignParts, type Language, titled } from "@rigmark/messages";
import { MESSAGES, wordsIn } from "@rigmark/messages/catalogue";
import { METRICS } from "@rigmark/metrics";
import { describe, expect, it } from "vitest";

const TOOLS = /\b(?:ab|autocannon|h2load|k6|loadgen|wrk)\b|CPU|JSON|p99/g;

type Node = string | { readonly [key: string]: Node };

const flat = (node: Node, path = ""): [string, string][] =>
  typeof node === "string"
    ? [[path, node]]
    : Object.entries(node).flatMap(([key, child]) => flat(child, path ? `${path}.${key}` : key));
const all = (language: Language) => new Map(flat(MESSAGES[language]));
const [english, chinese] = [all("en"), all("zh")];

/** Names of arguments and of tags, whatever their order. */
const placeholders = (message: string): string[] =>
  [
    ...new Set([...message.matchAll(/\{(\w+)(?=[,}])|<(\w+)>/g)].map(([, name, tag]) => name ?? `<${tag}>`)),
  ].sort();

describe("the catalogue", () => {
  it("has every message in both languages", () => {
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
    expect([...english, ...chinese].filter(([, text]) => text === "")).toEqual([["ui.space", ""]]);
  });

  it("has the same placeholders in both", () => {
    const different = [...english].filter(
      ([key, text]) => placeholders(text).join() !== placeholders(chinese.get(key) ?? "").join(),
    );
    expect(different).toEqual([]);
  });

  it("has a Chinese title and meaning of each metric", () => {
    expect(Object.keys(MESSAGES.zh.metric).sort()).toEqual(Object.keys(METRICS).sort());
  });

  it("has a Chinese title of each bundled scenario, and no two alike", () => {
    const folder = join(import.meta.dirname, "../../../packages/scenarios/scenarios");
    const titles = readdirSync(folder).map(
      (file) => (JSON.parse(readFileSync(join(folder, file), "utf8")) as { title: string }).title,
    );
    const own = titles.map((title) => wordsIn("zh").title(title));
    expect(titles.filter((_, i) => foreignParts(own[i] ?? "").some((part) => part.foreign))).toEqual([]);
    expect(own.filter((title) => /[A-Za-z]{3,}/.test(title.replace(TOOLS, "")))).toEqual([]);
    expect(new Set(own).size).toBe(titles.length);
    expect(titles.map((title) => wordsIn("en").title(title))).toEqual(titles);
  });

  it("leaves a title as it is where a part of it is somebody's own", () => {
    expect(wordsIn("zh").title("1 KB file, ab, 32 connections, no keep-alive")).toBe(
      "1 KB 文件，ab，32 个连接，不复用连接",
    );
    for (const title of ["My file, ab, 32 connections", "1 KB file, ab, many connections", "epoll file"])
      expect(foreignParts(wordsIn("zh").title(title))).toEqual([{ text: title, foreign: true }]);
  });

  it("puts Chinese titles into sentences that name scenarios", () => {
    const scenarios = [
      { title: "1 KB file, ab, 32 connections" },
      { title: "1 KB file, ab, 32 connections, no keep-alive" },
    ];
    const sentence = "2 个场景都没有结论。1 KB file, ab, 32 connections, no keep-alive：只有 3 个区组。";
    expect(titled(wordsIn("zh"), sentence, scenarios)).toBe(
      "2 个场景都没有结论。1 KB 文件，ab，32 个连接，不复用连接：只有 3 个区组。",
    );
    expect(titled(wordsIn("en"), sentence, scenarios)).toBe(sentence);
  });

  it("has every message that the pages name", () => {
    const missing = named().filter((key) => !english.has(key));
    expect(missing).toEqual([]);
  });
});

/** Keys that stand whole in the code; those that are put together are held to it by the tests of their pages. */
function named(): string[] {
  const root = join(import.meta.dirname, "../../..");
  const folders = [
    "apps/web/src",
    "packages/messages/src",
    "packages/results/src",
    "packages/domain/src/report",
  ];
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(root, folder, file), "utf8");
        return [...text.matchAll(/\bw\.t\(\s*"([\w.-]+)"/g)].map(([, key = ""]) => key);
      }),
  );
}

describe("phrases that reports keep in English", () => {
  const zh = wordsIn("zh");

  it("are all known that statistics write, but for what they quote", () => {
    const folder = join(import.meta.dirname, "../../../packages/stats/golden");
    const told = readdirSync(folder)
      .filter((file) => file.endsWith(".output.json"))
      .flatMap((file) => phrasesIn(JSON.parse(readFileSync(join(folder, file), "utf8"))));
    const unknown = [...new Set(told)].filter((text) => foreignParts(zh.phrase(text))[1]?.text === text);
    expect(told.length).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
  });

  it.each([
    ["2 blocks, no verdict", "2 个区组，没有结论"],
    ["does not count: k6 did not print it", "不计入：k6 没有输出该分位数"],
    ["p99 does not count: k6 did not print it", "p99 不计入：k6 没有输出该分位数"],
    ["no valid trial: the governor changed", "没有有效的试验：“\u2068the governor changed\u2069”"],
    [
      "The run ended as failed: epoll did not answer.",
      "运行以“失败”结束：“\u2068epoll did not answer.\u2069”",
    ],
    ["The run ended as timed out.", "运行以“超时”结束。"],
    ["The journal is missing from chunk 3 on.", "运行记录自第 3 块起缺失。"],
    ["something new", "“\u2068something new\u2069”"],
  ])("%s", (text, expected) => {
    expect(zh.phrase(text)).toBe(expected);
    expect(wordsIn("en").phrase(text)).toBe(text);
  });

  it("say which cores server and tool had", () => {
    expect(zh.field("server 0-1, tool 2-3")).toBe("服务器 0-1，工具 2-3");
    expect(zh.field("shared: 2")).toBe("共用：2");
  });

  it("are read in the report's own Chinese where it has that, and in English as they are", () => {
    const [english, chinese] = [
      "no valid trial: the governor changed",
      "没有有效的试验：the governor changed",
    ];
    expect(zh.phraseIn(english, chinese)).toBe("没有有效的试验：\u2068the governor changed\u2069");
    expect(zh.phraseIn(english, null)).toBe(zh.phrase(english));
    expect(wordsIn("en").phraseIn(english, chinese)).toBe(english);
  });

  it("show the agent's own words behind the name of a code", () => {
    expect(zh.coded({ code: "throttled", message: "The host throttled." })).toBe(
      "主机降频：“\u2068The host throttled.\u2069”",
    );
    expect(zh.coded({ code: "no-such-code", message: "Odd." })).toBe("“\u2068Odd.\u2069”");
    expect(wordsIn("en").coded({ code: "throttled", message: "The host throttled." })).toBe(
      "The host throttled.",
    );
  });
});

/** Of a summary: why there is no winner, no rank, or no percentile. */
function phrasesIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    typeof value === "string" && ["no_winner", "unranked_reason", "note"].includes(key)
      ? [value]
      : phrasesIn(value),
  );
}
