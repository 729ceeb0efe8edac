import { foreignParts } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import { describe, expect, it } from "vitest";

describe("an English phrase on a Chinese page", () => {
  it("is quoted as a whole where it is longer, or has more within it, than any of Rigmark's", () => {
    for (const text of ["p1 ".repeat(700).trim(), `${"p1 ".repeat(40)}end`]) {
      const parts = foreignParts(wordsIn("zh").phrase(text)).filter((part) => part.foreign);
      expect(parts).toHaveLength(1);
      // A regular expression that peels off one word a level would have left less than this.
      expect(parts[0]?.text.length).toBeGreaterThan(text.length - 20);
    }
  });
});
