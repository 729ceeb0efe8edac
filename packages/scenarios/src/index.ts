import { readdirSync, readFileSync } from "node:fs";
import { Scenario } from "@rigmark/protocol";
import { z } from "zod";

/** A named set of scenarios and servers. A file of `suites/`. */
export const Suite = z.strictObject({
  schema: z.literal(1),
  id: Scenario.shape.id,
  title: z.string().min(1).max(200),
  summary: z.string().min(1).max(2000),
  servers: z.array(Scenario.shape.id).min(1).max(16),
  scenarios: z.array(Scenario.shape.id).min(1).max(32),
});
export type Suite = z.infer<typeof Suite>;

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
