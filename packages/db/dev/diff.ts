import { withSchemaEngine } from "./engine";
import { schemaFiles } from "./schema";

/** SQL that leads from the database at `url` to the schema; empty when they agree. */
export async function diffToSchema(url: string): Promise<string> {
  const schema = await schemaFiles();
  const { stdout } = await withSchemaEngine(url, (engine) =>
    engine.diff({
      from: { tag: "schemaDatasource", ...schema, configDir: "." },
      to: { tag: "schemaDatamodel", ...schema },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    }),
  );
  const sql = stdout ?? "";
  return sql.includes("This is an empty migration") ? "" : sql;
}
