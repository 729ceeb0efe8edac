// cspell:ignore mred עברית
import { describe, expect, it } from "vitest";
import { toCsv } from "@/lib/csv";
import { nextPath } from "@/lib/next-path";
import { ogTextWith } from "@/lib/og-text";
import { plainLine, plainText } from "@/lib/text";

const text = ogTextWith(new Set());

describe("text from agents", () => {
  it("loses terminal sequences", () => {
    expect(plainText("\u001b[31mred\u001b[0m plain")).toBe("red plain");
    expect(plainText("\u001b]8;;http://x\u0007link\u001b]8;;\u0007")).toBe("link");
    expect(plainText("\u001b]0;title\u001b\\after")).toBe("after");
    expect(plainText("\u001bPq#0~-\u001b\\end")).toBe("end");
  });

  it("loses control characters, keeps tabs and line feeds", () => {
    expect(plainText("a\u0000b\tc\nd\u0085e\u009b")).toBe("ab\tc\nde");
  });

  it("shows what a terminal would show of a progress bar", () => {
    expect(plainText("10 %\r55 %\rdone\r\nnext")).toBe("done\nnext");
  });

  it("cannot turn the page's direction", () => {
    expect(plainLine("\u202egnp.exe \u2066x\u2069")).toBe("gnp.exe x");
    expect(plainLine("עברית")).toBe("עברית");
  });

  it("never makes the picture look for a font", () => {
    expect(text.line("epoll 🚀🚀 快", 40)).toBe("epoll · ·");
    expect(text.line("≥ 85,575\u00a0req/s, 0.8×", 40)).toBe("≥ 85,575 req/s, 0.8×");
  });
});

describe("the picture's sentence", () => {
  it("keeps whole sentences, or cuts behind a word", () => {
    expect(text.sentence("One is short. Two is a little longer than that.", 20)).toBe("One is short.");
    expect(text.sentence("A sentence that does not fit at all, however hard one tries.", 30)).toBe(
      "A sentence that does not fit…",
    );
  });

  it("counts a Chinese character as two, and cuts between Chinese sentences", () => {
    const chinese = ogTextWith(new Set([..."快很一二句。"].map((char) => char.codePointAt(0) ?? 0)));
    expect(chinese.line("epoll 快 🚀 慢", 40)).toBe("epoll 快 · ·");
    expect(chinese.line("很快很快很快", 9)).toBe("很快…快");
    expect(chinese.sentence("一句。二句二句。", 12)).toBe("一句。");
  });
});

describe("CSV", () => {
  it("defuses formulas and quotes what needs it", () => {
    expect(toCsv([["=1+1", "@x", "a,b", 'say "x"', null, 3.5]])).toBe(`'=1+1,'@x,"a,b","say ""x""",,3.5\r\n`);
  });
});

describe("the address after signing in", () => {
  it("is one of this site", () => {
    expect(nextPath("/w/home/runs?x=1")).toBe("/w/home/runs?x=1");
    for (const evil of [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "/\t/evil.example",
      undefined,
      ["/a"],
    ])
      expect(nextPath(evil)).toBe("/");
  });
});
