import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { schemaText } from "../src/emit-schema";
import { JournalRecord, KneeSearch, MESSAGES, RawRecord, Scenario } from "../src/index";

const dir = new URL("../golden/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, dir), "utf8");
const lines = (name: string) =>
  read(name)
    .trimEnd()
    .split("\n")
    .map((l) => JSON.parse(l) as unknown);
const message = (name: string) => {
  const schema = MESSAGES[name];
  if (!schema) throw new Error(`no message is called ${name}`);
  return schema;
};

describe("golden examples", () => {
  const names = Object.keys(MESSAGES).filter((n) => !n.endsWith("-record"));
  it.each(names)("%s parses to itself", (name) => {
    const value = JSON.parse(read(`${name}.json`)) as unknown;
    expect(message(name).parse(value)).toEqual(value);
  });

  it("has a journal with each kind of record once, in order", () => {
    const records = lines("journal.jsonl").map((r) => JournalRecord.parse(r));
    expect(records).toEqual(lines("journal.jsonl"));
    expect(records.map((r) => r.seq)).toEqual(records.map((_, i) => i));
    expect(new Set(records.map((r) => r.kind)).size).toBe(JournalRecord.options.length);
  });

  it("has a search for a rate", () => {
    const search = JSON.parse(read("knee-search.json")) as unknown;
    expect(KneeSearch.parse(search)).toEqual(search);
  });

  it("has a scenario of somebody's own", () => {
    const scenario = JSON.parse(read("scenario-http.json")) as unknown;
    expect(Scenario.parse(scenario)).toEqual(scenario);
  });

  it("has a raw record", () => {
    for (const r of lines("raw.jsonl")) expect(RawRecord.parse(r)).toEqual(r);
  });

  it.each(readdirSync(new URL("refused/", dir)))("refuses %s", (file) => {
    const { message: name, value } = JSON.parse(read(`refused/${file}`)) as {
      message: string;
      value: unknown;
    };
    expect(message(name).safeParse(value).success).toBe(false);
  });
});

describe("JSON Schema", () => {
  it.each(Object.keys(MESSAGES))("schema/%s.json is what zod says (else run `pnpm schema`)", (name) => {
    expect(readFileSync(new URL(`../schema/${name}.json`, import.meta.url), "utf8")).toBe(schemaText(name));
  });
});
