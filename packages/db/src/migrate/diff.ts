import type { DiffTarget } from "@prisma/schema-engine-wasm";
import { withSchemaEngine } from "./engine";
import { schemaFiles } from "./files";

/** SQL that leads from the database at `url` (or from nothing) to the schema; empty when they agree. */
export async function diffToSchema(url: string, from: "empty" | "database"): Promise<string> {
  const schema = await schemaFiles();
  const source: DiffTarget =
    from === "empty" ? { tag: "empty" } : { tag: "schemaDatasource", ...schema, configDir: "." };
  const { stdout } = await withSchemaEngine(url, (engine) =>
    engine.diff({
      from: source,
      to: { tag: "schemaDatamodel", ...schema },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  const sql = stdout ?? "";
  return sql.includes("This is an empty migration") ? "" : sql;
}
