import { describe, expect, it } from "vitest";
import { z } from "zod";
import { refusalOf } from "../src/refusal";

const Letters = z.string().regex(/^[a-z]+$/);
const Kinds = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("a") }),
  z.object({ kind: z.literal("b") }),
]);

describe("a refusal of input says in plain words", () => {
  it.each<[string, z.ZodType, unknown]>([
    ["is missing", z.string(), undefined],
    ["must be one of a, b", z.enum(["a", "b"]), undefined],
    ["must be text", z.string(), 5],
    ["must be a number", z.int(), "5"],
    ["must be a whole number", z.int(), 1.5],
    ["must be true or false", z.boolean(), null],
    ["must be a list", z.array(z.int()), {}],
    ["must be an object", z.object({}), []],
    ["at most 3 are allowed", z.array(z.int()).max(3), [1, 2, 3, 4]],
    ["at least 1 is needed", z.array(z.int()).min(1), []],
    ["must be text of at most 120 characters", z.string().max(120), "x".repeat(121)],
    ["must be text of exactly 5 characters", z.string().length(5), "x"],
    ["must not be empty", z.string().min(1), ""],
    ["must be at most 5", z.number().max(5), 6],
    ["must be at least 2", z.number().min(2), 1],
    ["must be more than 0", z.number().positive(), 0],
    ["must be a multiple of 5", z.number().multipleOf(5), 3],
    ["must be one of a, b", z.enum(["a", "b"]), "c"],
    ["must be true", z.literal(true), false],
    ["must be a UUID", z.uuid(), "x"],
    ["must be an email address", z.email(), "x"],
    ["must be a time such as 2026-01-31T12:00:00Z", z.iso.datetime(), "now"],
    ["must match /^[a-z]+$/", Letters, "A"],
    ["has an unknown field: a", z.strictObject({}), { a: 1 }],
    ["has unknown fields: a, b", z.strictObject({}), { a: 1, b: 1 }],
    ["must be 1 or 6", z.union([z.literal(1), z.literal(6)]), 2],
    ["must be text or a number", z.union([z.string(), z.number()]), {}],
    ["a: must be a number", z.union([z.string(), z.object({ a: z.int() })]), { a: "" }],
    ["is not valid", z.string().refine(() => false), "x"],
  ])("%s", (words, schema, value) => {
    expect(refusalOf(schema.safeParse(value).error?.issues[0], "It")).toBe(`It: ${words}`);
  });

  it("which field it is about", () => {
    const of = (schema: z.ZodType, value: unknown) =>
      refusalOf(schema.safeParse(value).error?.issues[0], "It");
    expect(of(z.object({ a: z.array(z.int()) }), { a: [1, "2"] })).toBe("a.1: must be a number");
    expect(of(z.record(Letters, z.int()), { A: 1 })).toBe(
      "A: is not allowed as a name: must match /^[a-z]+$/",
    );
    expect(of(Kinds, { kind: "c" })).toBe("kind: must be one of a, b");
    expect(of(Kinds, {})).toBe("kind: must be one of a, b");
  });

  it("what the schema has to say, where it says something", () => {
    const words = "too short a word";
    for (const schema of [z.string().min(9, words), z.string().refine(() => false, words)])
      expect(refusalOf(schema.safeParse("x").error?.issues[0], "It")).toBe(`It: ${words}`);
  });
});
