import { readdirSync, readFileSync } from "node:fs";
import { Scenario, Suite } from "@rigmark/protocol";
import type { z } from "zod";

const folder = (name: string) => new URL(`../${name}/`, import.meta.url);

function readAll<T>(name: string, schema: z.ZodType<T>): Map<string, T> {
  const files = readdirSync(folder(name)).filter((f) => f.endsWith(".json"));
  return new Map(
    files.sort().map((f) => [f, schema.parse(JSON.parse(readFileSync(new URL(f, folder(name)), "utf8")))]),
  );
}

/** Scenarios by file name. Throws where a file is not what the schema says. */
export const scenarios = () => readAll("scenarios", Scenario);
/** Suites by file name. */
export const suites = () => readAll("suites", Suite);
