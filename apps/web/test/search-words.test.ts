import { expect, it } from "vitest";
import { hasWords } from "../src/lib/search-words";

it("each word of a query is somewhere in the texts, in any order and case", () => {
  const texts = ["static-1k-ab", "1 KB file, ab, 32 connections"];
  expect(hasWords("AB 32", texts)).toBe(true);
  expect(hasWords("  connections  1k ", texts)).toBe(true);
  expect(hasWords("", texts)).toBe(true);
  expect(hasWords("ab 64", texts)).toBe(false);
});
