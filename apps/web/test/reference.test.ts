import { document, ROUTES } from "@rigmark/api/v1";
import { describe, expect, it } from "vitest";
import { referenceOf, typeOf } from "@/docs/reference";

const reference = referenceOf(document("https://rigmark.example"));

describe("the reference of the API", () => {
  it("has every route, and a place for every schema that it names", () => {
    const operations = reference.parts.flatMap((part) => part.operations);
    expect(operations.map((operation) => operation.id).sort()).toEqual(ROUTES.map((r) => r.name).sort());
    const named = [
      ...operations.flatMap((o) => [...(o.body ?? []), ...o.responses.flatMap((r) => r.type ?? [])]),
      ...reference.schemas.flatMap((schema) => schema.fields.flatMap((field) => field.type)),
    ].flatMap((part) => ("schema" in part ? [part.schema] : []));
    const known = reference.schemas.map((schema) => schema.name);
    expect(new Set(known).size).toBe(known.length);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("says what may be sent, and what has to be", () => {
    const run = reference.schemas.find((schema) => schema.name === "Source");
    expect(run?.fields.map(({ name, required }) => [name, required])).toEqual([
      ["repository", true],
      ["commit", true],
      ["branch", false],
      ["pull_request", false],
      ["base_commit", false],
      ["dirty", false],
    ]);
  });

  it("writes types in words", () => {
    const words = (schema: object) =>
      typeOf(schema)
        .map((part) => ("text" in part ? part.text : part.schema))
        .join("");
    expect(words({ type: "integer", minimum: 1, maximum: 100 })).toBe("integer, 1 to 100");
    expect(words({ type: "integer", minimum: 1, maximum: 2 ** 53 - 1 })).toBe("integer, at least 1");
    expect(words({ enum: ["a", "b"] })).toBe('"a" or "b"');
    expect(words({ type: "array", items: { $ref: "#/components/schemas/RunOutput" } })).toBe("list of Run");
    expect(words({ anyOf: [{ type: "string" }, { type: "null" }] })).toBe("string or null");
  });
});
