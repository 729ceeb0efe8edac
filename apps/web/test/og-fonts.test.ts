import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ogFonts } from "@/components/report/og-fonts";

const root = join(import.meta.dirname, "../../..");
const textIn = (folder: string) =>
  readdirSync(join(root, folder))
    .map((file) => readFileSync(join(root, folder, file), "utf8"))
    .join("");

describe("the typefaces of a report's picture", () => {
  it("have every Chinese character of the catalogue and of the sentences", async () => {
    const { characters } = await ogFonts("zh");
    const used = new Set(`${textIn("packages/messages/zh-CN")}${textIn("packages/stats/src/sentence/zh")}`);
    const chinese = [...used].filter((char) => /[\u2e80-\u9fff\uff00-\uffef]/.test(char));
    expect(chinese.length).toBeGreaterThan(500);
    expect(chinese.filter((char) => !characters.has(char.codePointAt(0) ?? 0))).toEqual([]);
  });

  it("have no character that they do not draw", async () => {
    const { characters } = await ogFonts("zh");
    // Of another plane, and a rare one of this.
    expect([0x1f680, 0x9f98].filter((code) => characters.has(code))).toEqual([]);
    expect((await ogFonts("en")).characters.size).toBe(0);
  });
});
