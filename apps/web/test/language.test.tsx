import type { RunSummary } from "@rigmark/results";
import { inLanguage } from "@rigmark/results/language";
import { NextRequest } from "next/server";
import { describe, expect, it } from "vitest";
import { languageOf } from "@/lib/language";
import { proxy } from "@/proxy";
import golden from "./golden/result.json";

describe("the language of a report's sentences", () => {
  it.each([
    ["zh", "en", "zh"],
    ["en", "zh-CN", "en"],
    ["fr", "zh-CN", "zh"],
    [null, "zh-CN,zh;q=0.9,en;q=0.8", "zh"],
    [null, "en-GB,en;q=0.9,zh;q=0.8", "en"],
    [null, "de, zh;q=0.5", "zh"],
    [null, "zh;q=0", "en"],
    [null, "zh;q=x, en", "en"],
    [null, null, "en"],
  ] as const)("asked for %s, accepting %s: %s", (asked, accepted, language) => {
    expect(languageOf(asked, accepted)).toBe(language);
  });

  it("is Chinese where there are Chinese sentences, and English in reports from before", () => {
    const summary = structuredClone(golden.summary) as unknown as RunSummary;
    expect(inLanguage(summary, "zh").sentence).toBe(summary.sentence);
    summary.sentence_zh = "epoll 更快。";
    for (const s of summary.scenarios) s.sentence_zh = "在此场景中 epoll 更快。";
    const zh = inLanguage(summary, "zh");
    expect([zh.sentence, zh.scenarios[0]?.sentence]).toEqual(["epoll 更快。", "在此场景中 epoll 更快。"]);
    expect(zh.scenarios[0]?.entries).toEqual(summary.scenarios[0]?.entries);
    expect(inLanguage(summary, "en").sentence).not.toBe(zh.sentence);
  });
});

describe("the language of a page", () => {
  const asked = (path: string, headers: Record<string, string> = {}) => {
    const response = proxy(new NextRequest(`https://rigmark.example${path}`, { headers }));
    const chosen = response.cookies.get("lang")?.value;
    return [response.headers.get("x-middleware-request-x-language"), chosen];
  };
  const chinese = { "accept-language": "zh-CN" };

  it("is what the address asks for, and a page other than a report remembers it", () => {
    expect(asked("/sign-in?lang=zh")).toEqual(["zh", "zh"]);
    expect(asked("/sign-in", { cookie: "lang=zh" })).toEqual(["zh", undefined]);
    expect(asked("/sign-in?lang=en", { cookie: "lang=zh", ...chinese })).toEqual(["en", "en"]);
    expect(asked("/", chinese)).toEqual(["zh", undefined]);
  });

  it("is not remembered of a report, which is kept for all readers", () => {
    expect(asked("/r/x?lang=zh")).toEqual(["zh", undefined]);
    expect(asked("/r/x", { cookie: "lang=zh" })).toEqual(["en", undefined]);
  });

  it("is English in a workspace alone", () => {
    expect(asked("/docs/glossary", chinese)).toEqual(["zh", undefined]);
    expect(asked("/w/ada/runs", { cookie: "lang=zh", ...chinese })).toEqual(["en", undefined]);
  });
});
