import { mkdirSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { MESSAGES } from "./messages";

/** Writes `schema/<message>.json`; a test fails when the checked-in files differ. */
export const schemaText = (name: string): string => {
  const schema = MESSAGES[name];
  if (!schema) throw new Error(`no message is called ${name}`);
  return `${JSON.stringify(z.toJSONSchema(schema, { io: "input" }), null, 2)}\n`;
};

if (process.argv[1]?.endsWith("emit-schema.ts")) {
  const dir = new URL("../schema/", import.meta.url);
  mkdirSync(dir, { recursive: true });
  for (const name of Object.keys(MESSAGES)) writeFileSync(new URL(`${name}.json`, dir), schemaText(name));
}
