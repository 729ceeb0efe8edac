import { readdir, readFile } from "node:fs/promises";
import type { SchemasContainer } from "@prisma/schema-engine-wasm";

const schemaDir = new URL("../schema/", import.meta.url);

export async function schemaFiles(): Promise<SchemasContainer> {
  const names = (await readdir(schemaDir)).filter((n) => n.endsWith(".prisma")).sort();
  return {
    files: await Promise.all(
      names.map(async (path) => ({ path, content: await readFile(new URL(path, schemaDir), "utf8") })),
    ),
  };
}
